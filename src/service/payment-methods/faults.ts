import { durationMilliseconds } from "../../engine/duration.ts";
import { faultKind, selector } from "../../faults/declaration.ts";
import type { Occasion } from "../../faults/declaration.ts";
import type { Faults } from "../../faults/faults.ts";
import { duration, name, oneOf, text, yesOrNo } from "../../faults/fields.ts";
import { unknownName } from "../../faults/known-names.ts";
import type { CallOccasion } from "../../http/call-selectors.ts";
import { declineCodes, testMethods } from "./test-methods.ts";
import type { DeclineCode } from "./test-methods.ts";

/** A charge, as faults tell it from others: the call that confirms an intent or processes a session, a renewal, a retry. */
export interface ChargeOccasion extends Occasion {
  /** Every id by which the charge may be meant. */
  readonly resources: readonly string[];
  readonly merchant: string;
  /** Every name by which the payment method may be meant. */
  readonly paymentMethods: readonly string[];
  readonly customer: "present" | "absent";
}

/** A fault that answers a charge in the method's place. */
export type AnswerFault =
  | { readonly kind: "unavailable" }
  | { readonly kind: "declined"; readonly declineCode: DeclineCode; readonly synchronous: boolean };

/** How long `processing` lasts by a fault: so many milliseconds, or for good, when no decision comes at all. */
export type HoldUp = number | "for good";

/** The kinds of payment method, and the ids of the test methods. */
const knownMethods = [...new Set(testMethods.map(({ kind }) => kind)), ...testMethods.map(({ id }) => id)];

const paymentMethod = {
  field: name.optional(),
  otherNames: ["paymentMethodId"],
  /** A fault may also name a card that was minted, or a card's number, which the service refuses. */
  complaint: (method: string) =>
    /^(pm_[\dA-Za-z]{24}|[\d -]+)$/.test(method) ? undefined : unknownName("paymentMethod", method, knownMethods),
};

/** Selects calls by the payment method that their body names. */
export const callSelectors = {
  paymentMethod: selector<CallOccasion>()({
    ...paymentMethod,
    selects: (method, { fields }) => [fields["paymentMethodId"], fields["paymentMethod"]].includes(method),
  }),
};

const chargeSelector = selector<ChargeOccasion>();

/** Which charges a fault concerns; all by default. */
export const chargeSelectors = {
  /** The id of the payment intent, transaction, checkout session, invoice or subscription, an `externalId`, or a session token. */
  resource: chargeSelector({
    field: name.optional(),
    selects: (resource, { resources }) => resources.includes(resource),
  }),
  merchant: chargeSelector({
    field: name.optional(),
    otherNames: ["merchantId"],
    selects: (merchant, charge) => merchant === charge.merchant,
  }),
  /** The method's id, its behaviour as a test method, or its kind: `pm_card_approved`, `card`. */
  paymentMethod: chargeSelector({
    ...paymentMethod,
    selects: (method, { paymentMethods }) => paymentMethods.includes(method),
  }),
  /** Whether the customer is there, as at a first payment, or not, as at a renewal. */
  customer: chargeSelector({
    field: oneOf(["present", "absent"]).optional(),
    selects: (customer, charge) => customer === charge.customer,
  }),
};

const answerFault = faultKind<{ answer?: AnswerFault }>();

/** Faults that answer a charge in the method's place; the first that fires decides. */
const answerFaults = [
  answerFault({
    kind: "processor.decline",
    fields: {
      code: text,
      /** Whether the decline answers the call itself, before any challenge; by default the payment is declined later. */
      synchronous: yesOrNo.optional(),
    },
    complaint: ({ code }) => unknownName("code", code, declineCodes),
    effect({ code, synchronous = false }, charge) {
      charge.answer = { kind: "declined", declineCode: code as DeclineCode, synchronous };
    },
  }),
  answerFault({
    kind: "processor.unavailable",
    fields: {},
    effect(_fault, charge) {
      charge.answer = { kind: "unavailable" };
    },
  }),
] as const;

const decisionFault = faultKind<{ holdUp?: HoldUp }>();

/** Faults that hold up the decision of a charge that will be processed; the first that fires decides. */
const decisionFaults = [
  decisionFault({
    kind: "processor.stuck",
    fields: {},
    effect(_fault, charge) {
      charge.holdUp = "for good";
    },
  }),
  decisionFault({
    kind: "processor.late",
    fields: { delay: duration },
    effect({ delay }, charge) {
      charge.holdUp = durationMilliseconds(delay);
    },
  }),
] as const;

/** Something that goes wrong where payments are decided. */
export const processorFaults = [...answerFaults, ...decisionFaults] as const;

/** What a fault answers to a charge in the method's place, when one does. */
export function faultyAnswer(faults: Faults, charge: ChargeOccasion): AnswerFault | undefined {
  return faults.fire<{ answer?: AnswerFault }>(answerFaults, charge, {}, () => true).answer;
}

/** How a fault holds up a charge that will be processed, when one does. */
export function holdUpOf(faults: Faults, charge: ChargeOccasion): HoldUp | undefined {
  return faults.fire<{ holdUp?: HoldUp }>(decisionFaults, charge, {}, () => true).holdUp;
}
