import { testMethodOf, testMethodOfNumber, testMethods } from "../service/test-methods.ts";
import { isRecord } from "./differences.ts";
import type { Names } from "./names.ts";
import { parsed } from "./steps.ts";
import type { Step } from "./steps.ts";
import type { Variant } from "./world.ts";

const METHOD_FIELDS = ["paymentMethodId", "paymentMethod"];
const CREDENTIALS = /client_?secret/i;

/** The statuses with which services refuse a call without a credential. */
export const REFUSALS: ReadonlySet<number> = new Set([401, 403]);

/** The test methods that may stand for one of the real service, likeliest first. */
const likely = [
  "pm_card_approved",
  "pm_card_insufficient_funds",
  "pm_card_challenge",
  "pm_gcash",
  "pm_grab_pay",
  "pm_card_generic_decline",
];

/** Returns how a call may be played, likeliest first. */
export function variantsOf({ exchange: { request, answer }, mayHideToken }: Step, names: Names): readonly Variant[] {
  const variants: Variant[] = [];
  const body = parsed(request.body);
  const named = isRecord(body)
    ? METHOD_FIELDS.map((field) => body[field]).find((value) => typeof value === "string")
    : undefined;
  const isUnknown =
    typeof named === "string" && testMethodOf(named) === undefined && names.worldOf(named) === undefined;
  if (isUnknown)
    variants.push(
      ...[...likely, ...testMethods.map(({ id }) => id).filter((id) => !likely.includes(id))].map((method) => ({
        method,
        words: `the recorded payment method is played as ${method}`,
      })),
    );
  const details = isRecord(body) ? body["creditCardDetails"] : undefined;
  const number = isRecord(details) ? details["cardNumber"] : undefined;
  if (typeof number === "string" && testMethodOfNumber(number) === undefined)
    variants.push(
      ...testMethods.flatMap(({ id, numbers: [card] }) =>
        card === undefined ? [] : [{ card, words: `the recorded card is played as one that is ${id}` }],
      ),
    );
  variants.push({});
  if (mayHideToken && !REFUSALS.has(answer?.status ?? 0))
    variants.push(
      ...variants.map((variant): Variant => ({
        ...variant,
        credential: "token",
        words: [variant.words, "the call is played with an access token, which the recording does not show"]
          .filter((words) => words !== undefined)
          .join("; "),
      })),
    );
  // What was accepted before is no wrong credential.
  const hasUnknown =
    request.headers.some(
      ([name, value]) => name === "x-admin-key" || (name === "authorization" && names.namesIn(value).length === 0),
    ) || CREDENTIALS.test(request.body ?? "");
  if (hasUnknown && (answer?.status ?? 0) >= 400)
    variants.push({ credential: "wrong", words: "the call is played with a credential that is wrong" });
  return variants;
}
