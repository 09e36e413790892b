import * as z from "zod/mini";
import { durationMilliseconds } from "../../kit/engine/duration.ts";
import { faultKind, selector } from "../../kit/faults/declaration.ts";
import type { Occasion } from "../../kit/faults/declaration.ts";
import type { Faults } from "../../kit/faults/faults.ts";
import { duration, name, oneOf, text, yesOrNo } from "../../kit/faults/fields.ts";
import { unknownName } from "../../kit/base/errors/known-names.ts";
import { matches } from "../../kit/faults/patterns.ts";
import type { CallOccasion } from "../../kit/http/call-selectors.ts";
import { unknownMethods } from "./known-methods.ts";
import { declineCodes } from "../decline-codes.ts";
import type { DeclineCode } from "../decline-codes.ts";

/** A charge that faults can select: a confirmation, a processed session, a renewal or a retry. */
export interface ChargeOccasion extends Occasion {
  /** Every id that selects the charge. */
  readonly resources: readonly string[];
  readonly merchant: string;
  /** Every name that selects its payment method. */
  readonly paymentMethods: readonly string[];
  readonly customer: "present" | "absent";
}

/** The effect of a fault that answers a charge instead of the payment method. */
export type AnswerFault =
  | { readonly kind: "unavailable" }
  | { readonly kind: "declined"; readonly declineCode: DeclineCode; readonly synchronous: boolean };

/** How long a fault makes `processing` last: milliseconds, or `"for good"`. */
export type HoldUp = number | "for good";

const paymentMethod = {
  field: z.optional(name),
  otherNames: ["paymentMethodId"],
  complaint: (method: string) => unknownMethods("paymentMethod", method),
};

/** Selects calls by the payment method in their body. */
export const callSelectors = {
  paymentMethod: selector<CallOccasion>()({
    ...paymentMethod,
    selects: (method, { fields }) =>
      [fields["paymentMethodId"], fields["paymentMethod"]].some((named) => matches(method, named)),
  }),
};

const chargeSelector = selector<ChargeOccasion>();

/** The charges that a fault concerns; all by default. */
export const chargeSelectors = {
  /** The id of the payment intent, transaction, checkout session, invoice or subscription, an `externalId`, or a session token. */
  resource: chargeSelector({
    field: z.optional(name),
    selects: (resource, { resources }) => resources.includes(resource),
  }),
  merchant: chargeSelector({
    field: z.optional(name),
    otherNames: ["merchantId"],
    selects: (merchant, charge) => merchant === charge.merchant,
  }),
  /** The method's id, its behaviour as a test method, or its kind: `pm_card_approved`, `card`. `*` stands for any text. */
  paymentMethod: chargeSelector({
    ...paymentMethod,
    selects: (method, { paymentMethods }) => paymentMethods.some((named) => matches(method, named)),
  }),
  /** Whether the customer is present, as at a first payment, or absent, as at a renewal. */
  customer: chargeSelector({
    field: z.optional(oneOf(["present", "absent"])),
    selects: (customer, charge) => customer === charge.customer,
  }),
};

const answerFault = faultKind<{ answer?: AnswerFault }>();

/** Faults that answer a charge instead of the payment method. The first that fires decides. */
const answerFaults = [
  answerFault({
    kind: "processor.decline",
    inWords: "a payment that the processor declines",
    fields: {
      code: text,
      /** True to decline in the answer to the call, before any challenge. By default the payment is declined later. */
      synchronous: z.optional(yesOrNo),
    },
    complaint: ({ code }) => unknownName("code", code, declineCodes),
    effect({ code, synchronous = false }, charge) {
      charge.answer = { kind: "declined", declineCode: code as DeclineCode, synchronous };
    },
  }),
  answerFault({
    kind: "processor.unavailable",
    inWords: "a payment for which the processor is unavailable",
    fields: {},
    effect(_fault, charge) {
      charge.answer = { kind: "unavailable" };
    },
  }),
] as const;

const decisionFault = faultKind<{ holdUp?: HoldUp }>();

/** Faults that delay the decision of a charge. The first that fires decides. */
const decisionFaults = [
  decisionFault({
    kind: "processor.stuck",
    inWords: "a payment that stays in processing",
    fields: {},
    effect(_fault, charge) {
      charge.holdUp = "for good";
    },
  }),
  decisionFault({
    kind: "processor.late",
    inWords: "a payment that the processor decides late",
    fields: { delay: duration },
    effect({ delay }, charge) {
      charge.holdUp = durationMilliseconds(delay);
    },
  }),
] as const;

/** The faults of the payment processor. */
export const processorFaults = [...answerFaults, ...decisionFaults] as const;

/** Fires the faults that answer a charge, and returns the answer, if any. */
export function faultyAnswer(faults: Faults, charge: ChargeOccasion): AnswerFault | undefined {
  return faults.fire<{ answer?: AnswerFault }>(answerFaults, charge, {}, () => true).answer;
}

/** Fires the faults that delay the decision of a charge, and returns the delay, if any. */
export function holdUpOf(faults: Faults, charge: ChargeOccasion): HoldUp | undefined {
  return faults.fire<{ holdUp?: HoldUp }>(decisionFaults, charge, {}, () => true).holdUp;
}
