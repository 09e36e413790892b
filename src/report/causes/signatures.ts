import { answeredWith, statusesOf } from "./answered.ts";
import type { Cause } from "./cause.ts";
import { counted, was } from "./wording.ts";

/** What `verifyWebhook` says about a body that was parsed before. */
const PARSED = /not the raw text or bytes|body has been read already/;
/** What Node says about an object where it expects the text or bytes of the body: all of one of these. */
const OBJECT = [
  [/data\\?" argument must be /, /Received an instance of Object/],
  [/\[object Object\]\\?" is not valid JSON/],
];
const NO_MATCH = /matches this body and secret/;
/** What handlers that refuse a signature with 400 say. Other 400s are about the content. */
const BAD_SIGNATURE = /^(Bad Request)?$|signature|webhook|verif/i;
/** Words of an answer that say no more than its status. */
const STATUS_WORDS =
  /\b(?:[0-9]{3}|unauthori[sz]ed|forbidden|access|denied|rejected|refused|failed|no|nope|not|invalid|bad|request|error|message|status|code|statuscode|success|ok|false|true|http|exception)\b|[^a-z]/gi;
/** Words of an answer about the signature. */
const OF_SIGNATURES = /signature|secret|hmac|verif|digest|genuine|authentic\b|tamper|stamp/i;

const rawBody =
  'check the signature over the raw body: in Express put express.raw({ type: "application/json" }) on the hook\'s route, before any express.json()';

/** Reasons why webhooks are refused for their signature. */
export const signatureCauses: readonly Cause[] = [
  {
    name: "parsed-body",
    looksAt: "webhooks that the handler refused, and whether their bodies were parsed before",
    explanation:
      'The signature covers the bytes that were sent. JSON that was parsed and written again differs in spacing or escapes. Check the raw body: in Express put `express.raw({ type: "application/json" })` on this route before any `express.json()`; in Hono pass `c.req.raw`; in Nest create the app with `rawBody: true` and take `req.rawBody`; in Fastify add a content type parser with `parseAs: "buffer"`; in Koa read `ctx.req` on a route before any body parser; in Next take `await request.text()`. Bodies are compact by default, and `JSON.stringify(JSON.parse(body))` gives such a body back: the assumption `webhook.body` `"spaced"` shows a handler that gets by with it here alone.',
    find: (clues) => {
      const { missed, parsingOrigins, refusedWebhooks } = clues;
      const refused = answeredWith(missed, (status) => status >= 400 && status !== 404);
      const parsed = refused.filter(
        ({ entry, origin, said }) =>
          saysParsed(said) ||
          (parsingOrigins.includes(origin) &&
            (entry.details.status === 400 ? BAD_SIGNATURE.test(said) : !namesAnotherReason(said))),
      );
      const told = refusedWebhooks.some((message) => PARSED.test(message));
      const affected = parsed.length === 0 && told ? refused : parsed;
      const { length: count } = affected;
      if (count === 0) return undefined;
      return {
        sentence: `${counted(count, "webhook")} ${was(count)} refused with ${statusesOf(affected)}: your handler checked the signature after the body was parsed, and parsed JSON is not what was signed`,
        wayOut: rawBody,
        weight: "certain",
      };
    },
  },
  {
    name: "wrong-secret",
    looksAt: "webhooks that the handler answered with 401 or 403",
    explanation:
      "Every webhook is signed with the secret of its merchant: `sim.credentials.webhookSecret` for the first one. It comes from the seed, so give it to your app in the test, or give your own with `createSimulator({ credentials })`. A check of your own covers the stamp too: [webhooks.md](webhooks.md#how-a-webhook-is-signed) says what is signed. A handler that refuses for another reason, and says so in its answer, is [`handler-refused`](#handler-refused).",
    find: ({ missed, parsingOrigins, refusedWebhooks, firstMerchant, eventOf, said }) => {
      const refused = answeredWith(missed, (status) => status === 401 || status === 403).filter(
        ({ origin }) => !parsingOrigins.includes(origin),
      );
      const [first] = refused;
      const told = [...refusedWebhooks, said].join("\n");
      const isOther = refusedWebhooks.length === 0 && refused.every(({ said: answer }) => namesAnotherReason(answer));
      if (first === undefined || PARSED.test(told) || isOther) return undefined;
      const merchant = eventOf(first.entry.details.event)?.merchantId;
      const secret =
        merchant === firstMerchant
          ? "sim.credentials.webhookSecret"
          : `the webhookSecret that POST /merchants gave to ${merchant}`;
      const isCertain = NO_MATCH.test(told);
      return {
        sentence: `${counted(refused.length, "webhook")} ${was(refused.length)} refused with ${statusesOf(refused)}: they are signed with ${secret}, and your handler checked ${isCertain ? "with another secret" : "with another secret, or other bytes"}`,
        wayOut: "give your app that secret. If it has it, let it check the raw body",
        weight: isCertain ? "certain" : "likely",
      };
    },
  },
];

/** Whether an answer says that the signature was checked against a parsed body. */
export function saysParsed(said: string): boolean {
  return PARSED.test(said) || OBJECT.some((parts) => parts.every((part) => part.test(said)));
}

/** Whether an answer names a reason of its own, such as a login, a CSRF token or a list of addresses. */
function namesAnotherReason(said: string): boolean {
  return said.replaceAll(STATUS_WORDS, "") !== "" && !OF_SIGNATURES.test(said);
}
