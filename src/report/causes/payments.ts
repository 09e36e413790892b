import { isDecline } from "../../service/error-table.ts";
import type { Cause } from "./cause.ts";
import { failedVisit, saysAny, wasOvercome, wasRepeated } from "./clues.ts";
import type { Exchanged } from "./clues.ts";
import { fieldsOf } from "./attempts.ts";
import { SERVICE_PAGE } from "./pages.ts";
import { quoted } from "./wording.ts";

/** Ways for the merchant's code to misread the service. */
export const paymentCauses: readonly Cause[] = [
  {
    name: "wrong-credentials",
    looksAt: "logins that the service refused",
    explanation:
      "The client id and secret are those of the simulator, `sim.credentials`, and come from its seed. Give them to your app in the test, or give the simulator those of your app: `createSimulator({ credentials: { clientId, clientSecret } })`.",
    find: ({ exchanges, said }) => {
      const refused = exchanges.findLast(
        ({ request, answer }) => request.route === "oauth.token" && answer.status >= 400,
      );
      const { code = "", status } = refused?.answer ?? {};
      if (refused === undefined || wasOvercome(exchanges, refused) || !LOGIN_CODES.has(code)) return undefined;
      const why =
        code === "INVALID_CREDENTIALS"
          ? "your app has another client id or secret than sim.credentials"
          : code === "INVALID_REFRESH_TOKEN"
            ? "a refresh token is good for one use and for a limited time, and your code sent one again, or too late"
            : quoted((refused.problem ?? "").replace(/\.$/, ""));
      return {
        sentence: `the login was refused with ${status} ${code}: ${why}`,
        wayOut:
          code === "INVALID_REFRESH_TOKEN"
            ? "keep the refresh_token of each answer in place of the one before, or log in with the client secret"
            : "configure your app with sim.credentials, or createSimulator({ credentials })",
        // Later calls fail because there is no token.
        weight:
          /\b40[01]\b|credentials|refresh token/i.test(said) ||
          exchanges.some(({ answer }) => answer.code === "UNAUTHORIZED")
            ? "explains"
            : "certain",
      };
    },
  },
  {
    name: "foreign-token",
    looksAt: "calls that were refused for their token (401 by default) although none had expired",
    explanation:
      "Each simulator knows the access tokens that it issued. A shop that lives longer than a test keeps the token of an earlier one: use the option `keepTokens: true` of `withSimulator` or `simulated`, or `sim.reset({ keepTokens: true })`, or let the shop log in again when its token is refused. When tests run at the same time, a call with credentials that none of them issued reaches no simulator, and every journal has a warning: any of the tests may have made it. A call without the header `Authorization: Bearer …` is refused in the same way.",
    find: ({ exchanges, of, said }) => {
      const expiry = of("token").at(-1)?.details.expiresAt ?? Number.POSITIVE_INFINITY;
      const refused = exchanges.findLast(({ answer, at }) => answer.code === "UNAUTHORIZED" && at < expiry);
      if (refused === undefined) {
        const last = of("warning")
          .flatMap(({ volatile }) => volatile?.turnedAway ?? [])
          .at(-1);
        if (last === undefined) return undefined;
        const { call, issuer } = last;
        const isSaid = /\b401\b|UNAUTHORIZED/.test(said);
        return {
          sentence: `${quoted(call)} was refused with 401: it carried ${issuer === undefined ? "the credentials of no running test, and any of them may have made it" : `a credential of ${issuer}, which has ended`}`,
          wayOut:
            issuer === undefined
              ? "log in with the credentials of the test's own simulator. If your app keeps a token, set keepTokens: true"
              : "set keepTokens: true if your app keeps its token, or let it log in again when its token is refused",
          weight: isSaid ? "explains" : "likely",
        };
      }
      if (wasOvercome(exchanges, refused)) return undefined;
      const call = quoted(`${refused.request.method} ${refused.request.path}`);
      const weight = saysAny(said, [refused.answer.status, "UNAUTHORIZED"]) ? "explains" : "certain";
      if (refused.problem?.includes("X-Admin-Key") === true) {
        return {
          sentence: `${call} was refused with ${refused.answer.status}: ${quoted(refused.problem)}`,
          wayOut: "send sim.credentials.adminKey in the header X-Admin-Key, in place of an access token",
          weight,
        };
      }
      const isFromBefore = of("warning").some(({ volatile }) => volatile?.isTokenOfResetWorld === true);
      const orKey = refused.request.route === "payment-intent.confirm" ? ", and not the clientKey of this intent" : "";
      return {
        sentence: `${call} was refused with ${refused.answer.status}: it carried ${isFromBefore ? "an access token from before sim.reset()" : `no access token that this simulator issued${orKey}`}`,
        wayOut: isFromBefore
          ? "call sim.reset({ keepTokens: true }), or let your app log in again when its token is refused"
          : "send the access token of the token call as `Authorization: Bearer …`. If your app keeps the token of an earlier test, set keepTokens: true",
        weight,
      };
    },
  },
  {
    name: "decline-as-exception",
    looksAt:
      "errors about the answer to a decline (402 by default), and pages of the app that answered with 5xx after one",
    explanation:
      "The service answers with an error (402 by default) when the bank declines a payment, or wants the customer to authenticate it. That is a result, not a failure of the call. Clients that throw for every status from 400 on (axios, got, ky, `ServiceError`) turn it into an exception: read the `code` and the `redirectUrl` of its body.",
    find: ({ exchanges, said, failedPages, thrown }) => {
      const declined = exchanges.findLast(({ answer }) => isDecline(answer.code));
      if (declined === undefined) return undefined;
      const { status, code = "" } = declined.answer;
      // The app's framework may have turned the exception into an error page.
      const page = failedPages.find(({ sequence }) => sequence > declined.sequence);
      const isSaid = saysAny(said, [status, code]);
      if (!isSaid && page === undefined) return undefined;
      const isPageSaid = page !== undefined && (thrown?.text.includes(String(page.status)) ?? false);
      return {
        sentence: `your code treated a decline as an exception: ${quoted(`${declined.request.method} ${declined.request.path}`)} was answered with ${status} ${code}, which is the result of the payment${isSaid || page === undefined ? "" : `, and your app answered ${page.status}`}`,
        wayOut: `catch the client's error for status ${status}, and read the code of its body`,
        weight: isSaid || isPageSaid ? "explains" : "certain",
      };
    },
  },
  {
    name: "amount-in-pesos",
    looksAt: "amounts that are a hundredth of what was expected, and fractions in amounts",
    explanation:
      "Amounts are whole centavos: `49900` is 499.00. Multiply once, where the amount enters your code, and round (`Math.round(pesos * 100)`).",
    find: ({ thrown, exchanges }) => {
      const actual = numberIn(thrown?.actual);
      const expected = numberIn(thrown?.expected);
      const ratio = actual !== undefined && expected !== undefined && actual !== 0 ? expected / actual : 0;
      const sent = exchanges.map(({ request }) => amountOf(request.body)).filter((amount) => amount !== undefined);
      const mixed =
        (ratio === 100 || ratio === 0.01) && sent.some((amount) => amount === actual || amount === expected);
      // A refused body is not in the journal; only what is wrong with it is.
      const fraction = exchanges.findLast(
        ({ problem }) => problem?.includes("amount: must be a whole number") === true,
      );
      if (!mixed && (fraction === undefined || wasRepeated(exchanges, fraction))) return undefined;
      if (mixed) {
        const pesos = Math.min(actual ?? 0, expected ?? 0);
        const wasSentInPesos = sent.includes(pesos);
        return {
          sentence: wasSentInPesos
            ? `the amount ${pesos} was sent in pesos where the service counts centavos: the test compares ${actual} with ${expected}`
            : `the amount ${Math.max(actual ?? 0, expected ?? 0)} was sent in centavos, and the test takes it for pesos: it compares ${actual} with ${expected}`,
          wayOut: wasSentInPesos ? "send centavos: Math.round(pesos * 100)" : "expect centavos, as the service counts",
          weight: "explains",
        };
      }
      return {
        sentence: `an amount with a fraction was sent, and the service counts whole centavos (${quoted(fraction?.problem?.replace(/\.$/, "") ?? "")})`,
        wayOut: "send centavos: Math.round(pesos * 100)",
        weight: "explains",
      };
    },
  },
  {
    name: "reused-idempotency-key",
    looksAt: "`Idempotency-Key`s that were sent again, for another call or for one that should be new",
    explanation:
      "A call with a known key gets the first answer again and changes nothing, and a different call with that key is refused. Make a key for each attempt of the customer to pay, and send it again only when the same call is repeated.",
    find: ({ exchanges, of, said }) => {
      const reused = exchanges.findLast(({ answer }) => answer.code === "IDEMPOTENCY_KEY_REUSED");
      const { request } = reused ?? exchanges.findLast(repeatsForNoReason(exchanges, of("fault"))) ?? {};
      if (request === undefined) return undefined;
      const [key, call] = [quoted(request.idempotencyKey ?? ""), quoted(`${request.method} ${request.path}`)];
      const isSaid = reused !== undefined && /IDEMPOTENCY_KEY_REUSED|idempotency key/i.test(said);
      return {
        sentence:
          reused === undefined
            ? `the Idempotency-Key ${key} was sent again with ${call}, which got the first answer again and created nothing`
            : `the Idempotency-Key ${key} was sent again with another call, ${call}, which was refused`,
        wayOut: "make a new key for each new call, and repeat a key only with the same call",
        weight: isSaid ? "explains" : reused === undefined ? "likely" : "certain",
      };
    },
  },
  {
    name: "already-confirmed",
    looksAt: "payments that the service refused with `INTENT_ALREADY_CONFIRMED`",
    explanation:
      "A payment intent is confirmed once. A second confirmation is refused, whether the first came from a double click or from a retry without an `Idempotency-Key`. So is the confirmation of a canceled payment, and a payment by hand for a subscription that is active. Take `INTENT_ALREADY_CONFIRMED` as a reason to read the status.",
    find: ({ exchanges, said }) => {
      const refused = exchanges.findLast(({ answer }) => answer.code === "INTENT_ALREADY_CONFIRMED");
      if (refused === undefined) return undefined;
      const { request, answer, problem = "" } = refused;
      const isSecond = exchanges.some(
        (earlier) => earlier.sequence < refused.sequence && wasSameCall(earlier, request),
      );
      return {
        sentence: `${quoted(`${request.method} ${request.path}`)} was refused with ${answer.status} INTENT_ALREADY_CONFIRMED: ${quoted(problem)}${isSecond ? "; your code made the same call before" : ""}`,
        wayOut: isSecond
          ? "send an Idempotency-Key with retries, and read the status after this refusal"
          : "read the status before you pay, and after this refusal",
        weight: /INTENT_ALREADY_CONFIRMED|already confirmed/i.test(said) ? "explains" : "certain",
      };
    },
  },
  {
    name: "refused-call",
    looksAt: "other calls that the service refused with 4xx",
    explanation:
      "The service did not take what your app sent: a field is missing or invalid, or what the call names does not exist. The sentence quotes the answer. [service.md](../service.md) describes the fields of each call. A refusal that the test provokes on purpose is no mistake.",
    find: (clues) => {
      const { exchanges, said } = clues;
      const refused = exchanges.findLast(isRefusedOtherwise);
      if (refused === undefined) return undefined;
      const { request, answer, problem = "" } = refused;
      const { status, code = "" } = answer;
      const isTold = said.split(/\W+/).includes(String(status)) || (code !== "" && said.includes(code));
      if (!isTold && wasRepeated(exchanges, refused)) return undefined;
      return {
        sentence: `${quoted(`${request.method} ${request.path}`)} was refused with ${status} ${code}: ${quoted(problem.replace(/\.$/, ""))}`,
        wayOut:
          code === "INVALID_STATE"
            ? "read the status first: what your code asks for may have happened before, or come too late"
            : `send what ${SERVICE_PAGE} describes, or let the test expect the refusal`,
        // The refusal says more than that the app failed.
        weight: isTold ? "explains" : failedVisit(clues) === undefined ? "likely" : "certain",
      };
    },
  },
];

/** Whether a call is the same as a later one, and was carried out. A decline was, too. */
function wasSameCall({ request, answer }: Exchanged, later: Exchanged["request"]): boolean {
  const isSame = request.path === later.path && JSON.stringify(request.body) === JSON.stringify(later.body);
  return isSame && request.method === later.method && (answer.status < 400 || isDecline(answer.code));
}

/** Whether a call got the answer of an earlier one with its key, although no fault had struck that one. */
function repeatsForNoReason(
  exchanges: readonly Exchanged[],
  faults: readonly { readonly sequence: number; readonly details: { readonly act: string } }[],
): (exchange: Exchanged) => boolean {
  const strikes = faults.filter(({ details }) => details.act === "strike");
  return ({ sequence, request, answer }) => {
    if (answer.replayed !== true) return false;
    const first = exchanges.find((earlier) => earlier.request.idempotencyKey === request.idempotencyKey);
    return strikes.every((strike) => strike.sequence < (first?.sequence ?? 0) || strike.sequence > sequence);
  };
}

/** Refusals of a login. */
const LOGIN_CODES = new Set(["INVALID_CREDENTIALS", "INVALID_REFRESH_TOKEN", "VALIDATION_ERROR"]);

/** Refusals that are causes of their own. */
const TOLD_ELSEWHERE = new Set([
  "INVALID_CREDENTIALS",
  "INVALID_REFRESH_TOKEN",
  "UNAUTHORIZED",
  "PAYMENT_METHOD_INVALID",
  "INTENT_ALREADY_CONFIRMED",
  "IDEMPOTENCY_KEY_REUSED",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
]);

function isRefusedOtherwise({ request, answer, problem }: Exchanged): boolean {
  const { code = "" } = answer;
  const isKnown = request.route !== undefined || code === "METHOD_NOT_ALLOWED";
  return problem !== undefined && isKnown && !isDecline(code) && !TOLD_ELSEWHERE.has(code);
}

/** Reads a number, which a runner may have written as text. */
function numberIn(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === "number" ? number : undefined;
}

function amountOf(body: unknown): number | undefined {
  const { amount } = fieldsOf(body);
  return typeof amount === "number" ? amount : undefined;
}
