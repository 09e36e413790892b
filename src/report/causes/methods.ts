import { nearest } from "../../kit/base/errors/nearest.ts";
import { testMethodOf, testMethods } from "../../service/test-methods.ts";
import { methodIn } from "./attempts.ts";
import type { Cause } from "./cause.ts";
import { wasRepeated } from "./clues.ts";
import type { Clues, Exchanged } from "./clues.ts";
import { METHODS_PAGE } from "./pages.ts";
import { quoted } from "./wording.ts";

/** The statuses of what could not be paid. */
const FAILED: ReadonlySet<unknown> = new Set(["failed", "incomplete", "incomplete_cancelled", "past_due", "unpaid"]);
/** The statuses of what was paid. */
const PAID: ReadonlySet<unknown> = new Set(["succeeded", "completed", "active"]);
/** Words for a success and for a failure, which assertions compare. */
export const SUCCESS = /\b(succeeded|paid|completed|active)\b/;
const FAILURE = /^\W*(failed|declined|past_due|unpaid)\W*$/;
/** An id that differs from a known one in fewer characters counts as misspelt. */
const MISSPELT = 3;
const RENEWALS = {
  declined: "is approved once, and declines every renewal",
  recovers: "declines a renewal and its first retry",
};

/** Ways to misjudge what a card or wallet does. */
export const methodCauses: readonly Cause[] = [
  {
    name: "waits-for-customer",
    looksAt: "payments that wait for the customer's authentication while the test expected a later status",
    explanation:
      "A challenged payment goes on when the customer has passed the challenge: `await sim.customer.authenticate(redirectUrl)`, and then `await sim.clock.settle()`. `pm_card_challenge` and the wallets are challenged; `pm_card_approved` is not.",
    find: ({ attempt, states, thrown }) => {
      const waiting = attempt?.intent ?? "";
      if (states.get(waiting) !== "requires_action") return undefined;
      if (!isAbout(thrown, /\b(requires_action|pending|succeeded|paid|completed|active)\b/)) return undefined;
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
    find: ({ attempt, states, thrown }) => {
      const { kind, id, method } = attempt ?? {};
      const status = states.get(id ?? "");
      if (method === undefined || !FAILED.has(status) || !isAbout(thrown, SUCCESS)) return undefined;
      const { decline, renewals } = method;
      if (decline === undefined && (kind !== "subscription" || renewals === undefined)) return undefined;
      const what = kind === "payment_intent" ? `the payment ${id} failed` : `the ${kind} ${id} is ${String(status)}`;
      return {
        sentence: `${what} because ${method.id} ${decline === undefined ? RENEWALS[renewals ?? "declined"] : `is always declined (${decline})`}`,
        wayOut: "pay with pm_card_approved, or expect the decline",
        weight: "certain",
      };
    },
  },
  {
    name: "approving-method",
    looksAt: "payments that succeeded although the test expected them to fail, and the cards they were made with",
    explanation:
      "A card is declined only if [test-methods.md](../reference/test-methods.md) says so. Numbers that another provider's tests use, such as `4000000000000002`, are not on that list, and are approved. Pay with a card that is declined, such as `pm_card_stolen`.",
    find: ({ attempt, states, thrown, of }) => {
      const { kind, id = "", method, card } = attempt ?? {};
      const wasMeantToFail = FAILURE.test(String(thrown?.expected));
      // A fault may have been meant to make it fail.
      if (of("fault").length > 0 || !wasMeantToFail || !PAID.has(states.get(id))) return undefined;
      if (method?.decline !== undefined || (method?.renewals !== undefined && kind === "subscription"))
        return undefined;
      const what = card === undefined ? method?.id : `the card ${card}`;
      if (what === undefined) return undefined;
      return {
        sentence: `the ${kind === "payment_intent" ? "payment" : kind} ${id} was paid because ${quoted(what)} ${method === undefined ? "is not one of the test cards, and other numbers are approved" : "is approved"}`,
        wayOut: `pay with a card that ${METHODS_PAGE} lists as declined, such as pm_card_stolen`,
        weight: "certain",
      };
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
      // Most of an id is the prefix that all of them share.
      const near = nearest(id, ids, MISSPELT);
      return {
        sentence: `${quoted(`${method} ${path}`)} was refused with 400, because no payment method has the id ${quoted(JSON.stringify(id))}${near === undefined ? "" : `; the nearest is "${near}"`}`,
        wayOut: `correct the id: ${METHODS_PAGE} lists those of test cards and wallets`,
        weight: /PAYMENT_METHOD_INVALID|payment method is invalid/.test(said) ? "explains" : "certain",
      };
    },
  },
];

function namesUnknownMethod({ request, answer }: Exchanged): boolean {
  const method = methodIn(request.body);
  return answer.code === "PAYMENT_METHOD_INVALID" && method !== undefined && testMethodOf(method) === undefined;
}

function isAbout(thrown: Clues["thrown"], pattern: RegExp): boolean {
  return thrown !== undefined && pattern.test(`${thrown.text} ${String(thrown.expected)}`);
}
