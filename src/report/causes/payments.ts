import { nearest } from "../../kit/base/errors/nearest.ts";
import { testMethodOf, testMethods } from "../../service/payment-methods/test-methods.ts";
import type { Cause } from "./cause.ts";
import { failedVisit, wasOvercome } from "./clues.ts";
import type { Clues, Exchanged } from "./clues.ts";
import { quoted } from "./wording.ts";

/** Ways for the merchant's code to misread the service. */
export const paymentCauses: readonly Cause[] = [
  {
    name: "wrong-credentials",
    looksAt: "logins that the service refused",
    explanation:
      "The client id and secret are those of the simulator, `sim.credentials`, and come from its seed. Give them to your app in the test, or give the simulator those of your app: `createSimulator({ credentials: { clientId, clientSecret } })`.",
    find: ({ exchanges, said }) => {
      const refused = exchanges.findLast(({ answer }) => answer.code === "INVALID_CREDENTIALS");
      if (refused === undefined || wasOvercome(exchanges, refused)) return undefined;
      return {
        sentence: `the login was refused with ${refused.answer.status} INVALID_CREDENTIALS: your app has another client id or secret than sim.credentials`,
        wayOut: "configure your app with sim.credentials, or createSimulator({ credentials })",
        weight: /\b401\b|credentials/i.test(said) ? "explains" : "certain",
      };
    },
  },
  {
    name: "foreign-token",
    looksAt: "calls that were refused with 401 although no token had expired",
    explanation:
      "Each simulator knows the access tokens that it issued. A shop that lives longer than a test keeps the token of an earlier one: use the option `keepTokens: true` of `withSimulator` or `simulated`, or `sim.reset({ keepTokens: true })`, or let the shop log in again after a 401. When tests run at the same time, a call with credentials that none of them issued reaches no simulator, and every journal has a warning: any of the tests may have made it. A call without the header `Authorization: Bearer …` is refused in the same way.",
    find: ({ exchanges, of, said }) => {
      const expiry = of("token").at(-1)?.details.expiresAt ?? Number.POSITIVE_INFINITY;
      const refused = exchanges.findLast(({ answer, at }) => answer.code === "UNAUTHORIZED" && at < expiry);
      if (refused === undefined) {
        const last = of("warning")
          .flatMap(({ volatile }) => callTurnedAway(volatile?.message ?? "") ?? [])
          .at(-1);
        if (last === undefined) return undefined;
        const { call, owner } = last;
        const isSaid = /\b401\b|UNAUTHORIZED/.test(said);
        return {
          sentence: `${quoted(call)} was refused with 401: it carried ${owner === undefined ? "the credentials of no running test, and any of them may have made it" : `a credential of ${owner}, which has ended`}`,
          wayOut:
            owner === undefined
              ? "log in with the credentials of the test's own simulator. If your app keeps a token, set keepTokens: true"
              : "set keepTokens: true if your app keeps its token, or let it log in again after a 401",
          weight: isSaid ? "explains" : "likely",
        };
      }
      if (wasOvercome(exchanges, refused)) return undefined;
      const isFromBefore = of("warning").some(({ volatile }) =>
        volatile?.message?.includes("is from before sim.reset()"),
      );
      return {
        sentence: `${quoted(`${refused.request.method} ${refused.request.path}`)} was refused with 401: it carried ${isFromBefore ? "an access token from before sim.reset()" : "no access token that this simulator issued"}`,
        wayOut: isFromBefore
          ? "call sim.reset({ keepTokens: true }), or let your app log in again after a 401"
          : "send the token of POST /oauth. If your app keeps the token of an earlier test, set keepTokens: true",
        weight: /\b401\b|UNAUTHORIZED/.test(said) ? "explains" : "certain",
      };
    },
  },
  {
    name: "decline-as-exception",
    looksAt: "errors about an answer of 402, and pages of the app that answered with 5xx after one",
    explanation:
      "The service answers 402 when the bank declines a payment, or wants the customer to authenticate it. That is a result, not a failure of the call. Clients that throw for every status from 400 on (axios, got, ky, `ServiceError`) turn it into an exception: read the `code` and the `redirectUrl` of its body.",
    find: ({ exchanges, said, failedPages, thrown }) => {
      const declined = exchanges.findLast(({ answer }) => answer.status === 402);
      if (declined === undefined) return undefined;
      const { code = "402" } = declined.answer;
      // The app's framework may have turned the exception into an error page.
      const page = failedPages.find(({ sequence }) => sequence > declined.sequence);
      const isSaid = said.includes(code) || /\b402\b/.test(said);
      if (!isSaid && page === undefined) return undefined;
      const isPageSaid = page !== undefined && (thrown?.text.includes(String(page.status)) ?? false);
      return {
        sentence: `your code treated a decline as an exception: ${quoted(`${declined.request.method} ${declined.request.path}`)} was answered with 402 ${code}, which is the result of the payment${isSaid || page === undefined ? "" : `, and your app answered ${page.status}`}`,
        wayOut: "catch the client's error for status 402, and read the code of its body",
        weight: isSaid || isPageSaid ? "explains" : "certain",
      };
    },
  },
  {
    name: "amount-in-pesos",
    looksAt: "amounts that are a hundredth of what was expected, and fractions in amounts",
    explanation:
      "Amounts are whole centavos: `49900` is 499.00. Multiply once, where the amount enters your code, and round (`Math.round(pesos * 100)`).",
    find: ({ thrown, exchanges, said }) => {
      const actual = numberIn(thrown?.actual);
      const expected = numberIn(thrown?.expected);
      const ratio = actual !== undefined && expected !== undefined && actual !== 0 ? expected / actual : 0;
      const sent = exchanges.map(({ request }) => amountOf(request.body)).filter((amount) => amount !== undefined);
      const mixed =
        (ratio === 100 || ratio === 0.01) && sent.some((amount) => amount === actual || amount === expected);
      const fraction = said
        .split("\n")
        .find((line) => line.includes("amount: ") && /whole|integer|\bint\b/i.test(line));
      const wasRefused = exchanges.some(({ answer }) => answer.code === "VALIDATION_ERROR");
      if (!mixed && (fraction === undefined || !wasRefused)) return undefined;
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
        sentence: `an amount with a fraction was sent, and the service counts whole centavos (${quoted(fraction?.slice(fraction.indexOf("amount: ")).replace(/\)$/, "") ?? "")})`,
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
    find: ({ exchanges, said }) => {
      const reused = exchanges.findLast(({ answer }) => answer.code === "IDEMPOTENCY_KEY_REUSED");
      if (reused === undefined) return undefined;
      return {
        sentence: `the Idempotency-Key ${quoted(reused.request.idempotencyKey ?? "")} was sent again with another call, ${quoted(`${reused.request.method} ${reused.request.path}`)}, which was refused`,
        wayOut: "make a new key for each new call, and repeat a key only with the same call",
        weight: /IDEMPOTENCY_KEY_REUSED|idempotency key/i.test(said) ? "explains" : "certain",
      };
    },
  },
  {
    name: "already-confirmed",
    looksAt: "confirmations of a payment that was confirmed before",
    explanation:
      "A payment intent is confirmed once. A second confirmation is refused, whether the first came from a double click or from a retry without an `Idempotency-Key`. Take `INTENT_ALREADY_CONFIRMED` as a reason to read the status.",
    find: ({ exchanges, said }) => {
      const refused = exchanges.findLast(({ answer }) => answer.code === "INTENT_ALREADY_CONFIRMED");
      if (refused === undefined) return undefined;
      return {
        sentence: `${quoted(`${refused.request.method} ${refused.request.path}`)} was refused with ${refused.answer.status} INTENT_ALREADY_CONFIRMED: your code confirmed the payment twice`,
        wayOut: "send an Idempotency-Key with retries, and read the status after this refusal",
        weight: /INTENT_ALREADY_CONFIRMED|already confirmed/i.test(said) ? "explains" : "certain",
      };
    },
  },
  {
    name: "waits-for-customer",
    looksAt: "payments that wait for the customer's authentication while the test expected a later status",
    explanation:
      "A challenged payment goes on when the customer has passed the challenge: `await sim.customer.authenticate(redirectUrl)`, and then `await sim.clock.settle()`. `pm_card_challenge` and the wallets are challenged; `pm_card_approved` is not.",
    find: ({ entries, thrown }) => {
      const waiting = [...statesOfPayments(entries)].find(([, state]) => state === "requires_action")?.[0];
      if (waiting === undefined || !isAbout(thrown, /requires_action|pending|succeeded|paid|completed/))
        return undefined;
      return {
        sentence: `the payment ${quoted(waiting)} still waits for the customer's authentication`,
        wayOut: "call await sim.customer.authenticate(redirectUrl), then await sim.clock.settle()",
        weight: "certain",
      };
    },
  },
  {
    name: "declining-method",
    looksAt: "payments that failed although the test expected them to succeed, and the test cards they were made with",
    explanation:
      "Test cards and wallets have a fixed behaviour, which [test-methods.md](../reference/test-methods.md) lists: `pm_card_stolen` is always declined. Pay with `pm_card_approved`, or expect the decline.",
    find: ({ entries, exchanges, thrown }) => {
      const states = statesOfPayments(entries);
      for (const { request } of exchanges) {
        const id = /^\/api\/payment-intent\/([^/]+)\/confirm$/.exec(request.path)?.[1] ?? "";
        const method = testMethodOf(methodIn(request.body) ?? "");
        if (method?.decline === undefined || states.get(id) !== "failed") continue;
        if (!isAbout(thrown, /succeeded|paid|completed/)) continue;
        return {
          sentence: `the payment ${id} failed because ${method.id} is always declined (${method.decline})`,
          wayOut: "pay with pm_card_approved, or expect the decline",
          weight: "certain",
        };
      }
      return undefined;
    },
  },
  {
    name: "unknown-method",
    looksAt: "payments that were refused because no payment method has the id that they name",
    explanation:
      "The id is misspelt, or belongs to another simulator. [test-methods.md](../reference/test-methods.md) lists the ids, and `sim.paymentMethods.create(card)` makes another.",
    find: ({ exchanges, said }) => {
      const refused = exchanges.findLast(namesUnknownMethod);
      if (refused === undefined || wasRepeated(exchanges, refused)) return undefined;
      const { method, path, body } = refused.request;
      const id = methodIn(body) ?? "";
      const ids = testMethods.map((known) => known.id);
      const near = nearest(id, ids);
      return {
        sentence: `${quoted(`${method} ${path}`)} was refused with 400, because no payment method has the id ${quoted(JSON.stringify(id))}${near === undefined ? "" : `; the nearest is "${near}"`}`,
        wayOut: "correct the id: docs/reference/test-methods.md lists those of test cards and wallets",
        weight: /PAYMENT_METHOD_INVALID|payment method is invalid/.test(said) ? "explains" : "certain",
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
        wayOut: "send what docs/service.md describes, or let the test expect the refusal",
        // The refusal says more than that the app failed.
        weight: isTold ? "explains" : failedVisit(clues) === undefined ? "likely" : "certain",
      };
    },
  },
];

/** Refusals that are causes of their own. */
const TOLD_ELSEWHERE = new Set([
  "INVALID_CREDENTIALS",
  "UNAUTHORIZED",
  "PAYMENT_METHOD_INVALID",
  "INTENT_ALREADY_CONFIRMED",
  "IDEMPOTENCY_KEY_REUSED",
]);

function isRefusedOtherwise({ request, answer, problem }: Exchanged): boolean {
  const { status, code = "" } = answer;
  const isRefused = problem !== undefined && request.route !== undefined && status >= 400 && status < 500;
  return isRefused && status !== 402 && status !== 429 && !TOLD_ELSEWHERE.has(code);
}

/** Whether the same call succeeded later, such as when it was retried with another body. */
function wasRepeated(exchanges: readonly Exchanged[], { sequence, request }: Exchanged): boolean {
  return exchanges.some(
    (later) =>
      later.sequence > sequence &&
      later.request.method === request.method &&
      later.request.path === request.path &&
      later.answer.status < 400,
  );
}

function namesUnknownMethod({ request, answer }: Exchanged): boolean {
  const method = methodIn(request.body);
  return answer.code === "PAYMENT_METHOD_INVALID" && method !== undefined && testMethodOf(method) === undefined;
}

/** The payment method that a call names. */
function methodIn(body: unknown): string | undefined {
  const fields = (typeof body === "object" && body !== null ? body : {}) as Readonly<Record<string, unknown>>;
  return [fields["paymentMethodId"], fields["paymentMethod"]].find((name) => typeof name === "string");
}

/** Returns the latest state of each payment, by id. */
function statesOfPayments(entries: Clues["entries"]): ReadonlyMap<string, unknown> {
  return new Map(
    entries
      .filter(({ kind, details }) => (kind === "step" || kind === "timer") && details["resource"] === "payment_intent")
      .map(({ details }) => [String(details["id"]), details["to"]]),
  );
}

function isAbout(thrown: Clues["thrown"], pattern: RegExp): boolean {
  return thrown !== undefined && pattern.test(`${thrown.text} ${String(thrown.expected)}`);
}

/** Reads a number, which a runner may have written as text. */
function numberIn(value: unknown): number | undefined {
  const number = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === "number" ? number : undefined;
}

function amountOf(body: unknown): number | undefined {
  const { amount } = (typeof body === "object" && body !== null ? body : {}) as { readonly amount?: unknown };
  return typeof amount === "number" ? amount : undefined;
}

/** Reads the warning of a call that reached no world because of its credentials. `owner` is the world that has ended, if it is known. */
function callTurnedAway(warning: string): { call: string; owner?: string } | undefined {
  const [call = "", why = ""] = warning.split(" was refused. ");
  if (/^None of the worlds .* knows its credentials/.test(why)) return { call };
  const owner = /^Its credential belongs to (.*), which has ended/.exec(why)?.[1];
  return owner === undefined ? undefined : { call, owner };
}
