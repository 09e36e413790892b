import type { Assumptions } from "../assumption-table.ts";
import { durationMilliseconds } from "../../kit/engine/duration.ts";
import type { Engine } from "../../kit/engine/engine.ts";
import type { LifecycleRows } from "../../kit/engine/lifecycle-rows.ts";
import type { Faults } from "../../kit/faults/faults.ts";
import { ApiError, invalidField } from "../api-error.ts";
import { chargeWithCustomer, chargeWithoutCustomer } from "../payment-methods/charge.ts";
import type { PaymentMethod, PaymentMethods } from "../payment-methods/commands.ts";
import { faultyAnswer, holdUpOf } from "../payment-methods/faults.ts";
import type { ChargeOccasion } from "../payment-methods/faults.ts";
import type { Challenge, Contact, IntentData, IntentRow, paymentIntentMachine } from "./machine.ts";
import type { IntentOwners } from "./owners.ts";
import type { ConfirmIntentBody } from "../schemas/payment-intents.ts";

/** The parts of the service that `Charges` uses. */
export interface ChargesOptions {
  readonly engine: Engine;
  readonly assumptions: Assumptions;
  readonly faults: Faults;
  readonly paymentMethods: PaymentMethods;
  readonly intents: LifecycleRows<typeof paymentIntentMachine>;
  readonly owners: IntentOwners;
}

/** The result of a charge with the customer present. It stands even if the answer is a decline. */
export interface Charged {
  readonly intent: IntentRow;
  /** False when the processor was unavailable, which leaves the intent to be confirmed again. */
  readonly attempted: boolean;
  /** The error that answers the call, if the charge was declined at once. */
  readonly declined?: ApiError;
}

/** Charges intents: attaches a method, asks the processor, and steps the intent with the answer. */
export class Charges {
  readonly #options: ChargesOptions;

  constructor(options: ChargesOptions) {
    this.#options = options;
  }

  /** Returns the payment method that a confirmation names, or undefined if it leaves the attached one, as {@link methodOf} does. */
  namedIn(
    { paymentMethodId, paymentMethod, creditCardDetails }: ConfirmIntentBody,
    terms: Pick<IntentData, "merchantId" | "purpose">,
  ): PaymentMethod | undefined {
    const id = paymentMethodId ?? paymentMethod;
    return id === undefined ? undefined : this.methodOf(id, terms, creditCardDetails);
  }

  /**
   * Returns the payment method with this id. Stores a card sent in full for its merchant under a new id, without its number.
   * @throws {ApiError} `PAYMENT_METHOD_INVALID`, also for a wallet that pays a subscription
   *   (`subscription.wallets`)
   */
  methodOf(
    id: string,
    { merchantId, purpose }: Pick<IntentData, "merchantId" | "purpose">,
    creditCardDetails?: ConfirmIntentBody["creditCardDetails"],
  ): PaymentMethod {
    const { paymentMethods, assumptions } = this.#options;
    const isCard = id === "card" && creditCardDetails !== undefined;
    const method = isCard ? paymentMethods.mint(creditCardDetails, merchantId) : paymentMethods.resolve(id, merchantId);
    if (!isCard && creditCardDetails !== undefined) this.#leaveDetails(method);
    if (purpose === "subscription" && method.kind !== "card" && assumptions.value("subscription.wallets") === "refuse")
      throw new ApiError("PAYMENT_METHOD_INVALID", { message: `Subscriptions do not take ${method.kind}` });
    return method;
  }

  /** @throws {ApiError} a validation error, if `intent.card-details` is `refuse` */
  #leaveDetails({ id }: PaymentMethod): void {
    const { engine, assumptions } = this.#options;
    if (assumptions.value("intent.card-details") === "refuse")
      throw invalidField("creditCardDetails", 'is taken only with the payment method "card"');
    engine.note("warning", { message: `creditCardDetails were not used: the payment method is ${id}, not "card"` });
  }

  /** Whether an intent can still be charged. */
  takes(intent: IntentRow, method: PaymentMethod): boolean {
    return this.#options.intents.accepts(intent, { type: "attach_method", method, contact: undefined });
  }

  /**
   * Charges an intent with the customer present.
   * @param named the method that the call names, which is attached even if it is attached already; without it, the attached one is charged
   */
  withCustomer(intent: IntentRow, named: PaymentMethod | undefined, contact?: Contact): Charged {
    const { engine, assumptions, faults, intents } = this.#options;
    // The route's check has already asked for a method if none is attached.
    const method: PaymentMethod = named ?? (intent.data.method as PaymentMethod);
    const charge = faults.none ? undefined : this.#occasion(intent, method, "present");
    const fault = charge === undefined ? undefined : faultyAnswer(faults, charge);
    const wasUnavailable = intent.data.wasUnavailable === true;
    const declines = () => assumptions.value("intent.decline");
    const answer = chargeWithCustomer(method, { now: engine.now, wasUnavailable, fault, declines });
    const isAttached = named === undefined && contact === undefined;
    const attached = isAttached ? intent : intents.step(intent.id, { type: "attach_method", method, contact });
    if (answer.kind === "unavailable") {
      // The intent remembers the outage of a test method. A fault counts for itself how often it has fired.
      const waiting = fault === undefined ? intents.step(intent.id, { type: "processor_unavailable" }) : attached;
      engine.publish({
        type: "payment_intent.requires_confirmation",
        resource: "payment_intent",
        row: waiting,
        at: engine.now,
      });
      const message = "The processor is unavailable; try again";
      return { intent: waiting, attempted: false, declined: new ApiError("INTERNAL_ERROR", { message }) };
    }
    const challenge = answer.kind === "challenge" ? this.#challenge(method, answer.nextAction) : undefined;
    const synchronous = answer.kind === "decided" && answer.synchronous;
    // A charge that is decided within the call cannot be delayed.
    const holdUp = synchronous ? 0 : charge === undefined ? undefined : holdUpOf(faults, charge);
    const confirmed = intents.step(intent.id, { type: "confirm", outcome: answer.outcome, challenge, holdUp });
    if (!synchronous) return { intent: confirmed, attempted: true };
    const decided = intents.step(intent.id, { type: "decide" });
    return decided.data.declineCode === "insufficient_funds"
      ? { intent: decided, attempted: true, declined: new ApiError("INSUFFICIENT_FUNDS") }
      : { intent: decided, attempted: true };
  }

  /**
   * Charges an intent without the customer, at a renewal or a retry.
   * @param attempt the number of the automatic attempt on the invoice, from 1
   */
  withoutCustomer(intent: IntentRow, method: PaymentMethod, attempt: number): IntentRow {
    const { engine, assumptions, faults, intents } = this.#options;
    const charge = faults.none ? undefined : this.#occasion(intent, method, "absent");
    const fault = charge === undefined ? undefined : faultyAnswer(faults, charge);
    const wasUnavailable = intent.data.wasUnavailable === true;
    const challenged = () => assumptions.value("subscription.off-session-challenge");
    const answer = chargeWithoutCustomer(method, { now: engine.now, attempt, wasUnavailable, fault, challenged });
    const challenge = answer.nextAction === undefined ? undefined : this.#challenge(method, answer.nextAction);
    const holdUp = charge === undefined ? undefined : holdUpOf(faults, charge);
    intents.step(intent.id, { type: "attach_method", method, contact: undefined });
    return intents.step(intent.id, { type: "confirm", outcome: answer.outcome, challenge, holdUp });
  }

  #occasion(intent: IntentRow, method: PaymentMethod, customer: "present" | "absent"): ChargeOccasion {
    const { merchantId, transactionId, sessionToken, externalId, subscriptionId, invoiceId } = intent.data;
    const owned = this.#options.owners.of(intent).ids(intent);
    const ids = [intent.id, transactionId, sessionToken, externalId, subscriptionId, invoiceId, ...owned];
    return {
      resources: ids.filter((id) => id !== undefined),
      merchant: merchantId,
      paymentMethods: [method.id, method.behaviour, method.kind],
      customer,
      note: { intent: intent.id, method: method.id, customer },
    };
  }

  #challenge({ kind }: PaymentMethod, nextAction: Challenge["nextAction"]): Challenge {
    const { engine, assumptions } = this.#options;
    const window = durationMilliseconds(assumptions.value("intent.authentication")[kind]);
    return { id: engine.random.id("ach"), nextAction, expiresAt: engine.now + window };
  }
}
