import type { Assumptions } from "../../assumptions/assumptions.ts";
import { durationMilliseconds } from "../../engine/duration.ts";
import { LifecycleRows } from "../../engine/lifecycle-rows.ts";
import type { Engine } from "../../engine/engine.ts";
import { Lifecycle } from "../../engine/lifecycle.ts";
import type { RowOf } from "../../engine/lifecycle.ts";
import { CentavoError } from "../../errors/centavo-error.ts";
import type { Faults } from "../../faults/faults.ts";
import { ApiError, invalidField } from "../api-error.ts";
import { toTimestamp } from "../../engine/timestamp.ts";
import type { Caller } from "../../http/route.ts";
import { chargeWithCustomer, chargeWithoutCustomer, feeOf } from "../payment-methods/charge.ts";
import type { PaymentMethod, PaymentMethods } from "../payment-methods/commands.ts";
import { faultyAnswer, holdUpOf } from "../payment-methods/faults.ts";
import type { ChargeOccasion } from "../payment-methods/faults.ts";
import { ExternalIds } from "./external-ids.ts";
import { paymentIntentMachine } from "./machine.ts";
import type { Challenge, Contact, IntentTerms } from "./machine.ts";
import { actionOf, challengeOpen } from "./next-action.ts";
import { returnAddressOf } from "./return-address.ts";
import { statusOf } from "./schema.ts";
import type { Confirmation, ConfirmIntentBody, CreatedIntent, CreateIntentBody, IntentStatusResult } from "./schema.ts";

export const paymentIntentLifecycle = new Lifecycle("payment_intent", paymentIntentMachine);

/** A payment intent as it is stored. */
export type IntentRow = RowOf<typeof paymentIntentMachine>;

/** Where a challenge's customer goes afterwards. */
export type ReturnAddress = (intent: IntentRow) => string | undefined;

/** The ids of what an intent pays that the intent itself does not know. */
export type OwnerIds = (intent: IntentRow) => readonly (string | undefined)[];

/** What intents belong to, where they do not stand alone. */
export interface IntentOwner {
  /** Whether it needs an intent that has come to its end. */
  needs(intent: IntentRow): boolean;
  /** Lets go of what belongs to intents that are being forgotten. */
  forget(intents: readonly IntentRow[]): void;
}

/** What `PaymentIntents` needs of the rest of the service. */
export interface PaymentIntentsOptions {
  readonly engine: Engine;
  readonly assumptions: Assumptions;
  readonly faults: Faults;
  readonly paymentMethods: PaymentMethods;
}

const OFFERED_METHODS = ["gcash", "grab_pay", "card"];

/** What the API does with payment intents (4.1), and what checkout does with those that it embeds. */
export class PaymentIntents {
  readonly #options: PaymentIntentsOptions;
  readonly #intents: LifecycleRows<typeof paymentIntentMachine>;
  readonly #returnAddresses = new Map<IntentTerms["purpose"], ReturnAddress>();
  readonly #ownerIds = new Map<IntentTerms["purpose"], OwnerIds>();
  readonly #owners = new Map<IntentTerms["purpose"], IntentOwner>();
  readonly externalIds: ExternalIds;

  constructor(options: PaymentIntentsOptions) {
    const { engine, assumptions } = options;
    this.#options = options;
    this.externalIds = new ExternalIds(engine, assumptions);
    this.#intents = new LifecycleRows(engine, paymentIntentLifecycle, {
      clientKey: ({ data }) => data.clientKey,
      challenge: ({ data }) => data.challenge?.id,
    });
    this.returnTo("payment_intent", returnAddressOf);
    this.returnTo("subscription", returnAddressOf);
  }

  /** Says where the customer of an intent with this purpose goes after a challenge. */
  returnTo(purpose: IntentTerms["purpose"], address: ReturnAddress): void {
    this.#returnAddresses.set(purpose, address);
  }

  /** Says by which further ids a fault may mean the charge of an intent with this purpose. */
  alsoMeantBy(purpose: IntentTerms["purpose"], ids: OwnerIds): void {
    this.#ownerIds.set(purpose, ids);
  }

  /** Says what the intents with this purpose belong to, where they do not stand alone. */
  ownedBy(purpose: IntentTerms["purpose"], owner: IntentOwner): void {
    this.#owners.set(purpose, owner);
  }

  get(id: string): IntentRow | undefined {
    return this.#intents.rows.get(id);
  }

  all(): IntentRow[] {
    return [...this.#intents.rows.values()];
  }

  byClientKey(clientKey: string): { id: string; merchantId: string } | undefined {
    const intent = this.#intents.rows.by("clientKey", clientKey);
    return intent === undefined || intent.data.purpose === "checkout"
      ? undefined
      : { id: intent.id, merchantId: intent.data.merchantId };
  }

  byChallenge(challengeId: string): IntentRow | undefined {
    return this.#intents.rows.by("challenge", challengeId);
  }

  create(merchantId: string, body: CreateIntentBody): CreatedIntent {
    const { assumptions, engine } = this.#options;
    this.checkReturnUrl(body.returnUrl);
    const { description = "", externalId, contact, metadata, returnUrl, webhookUrl } = body;
    const intent = this.open({
      merchantId,
      purpose: "payment_intent",
      transactionId: engine.random.base62("id/txn", 24, "txn_"),
      sessionToken: engine.random.uuid("token/session"),
      amount: body.amount,
      description,
      ...(externalId === undefined ? {} : { externalId }),
      ...(contact === undefined ? {} : { contact }),
      ...(metadata === undefined ? {} : { metadata }),
      ...(returnUrl === undefined ? {} : { returnUrl }),
      ...(webhookUrl === undefined ? {} : { webhookUrl }),
    });
    this.externalIds.use(merchantId, externalId, intent.id);
    return {
      id: intent.id,
      transactionId: intent.data.transactionId,
      sessionToken: intent.data.sessionToken,
      amount: intent.data.amount,
      status: assumptions.value("intent.pending"),
      description,
      clientKey: intent.data.clientKey,
      paymentMethods: OFFERED_METHODS,
      fee: this.feeOf(intent),
      createdAt: toTimestamp(intent.createdAt),
      updatedAt: toTimestamp(intent.updatedAt),
    };
  }

  /** Makes an intent for whoever needs one paid. */
  open(terms: Omit<IntentTerms, "clientKey" | "processingTime">): IntentRow {
    const { engine, assumptions } = this.#options;
    const intent = this.#intents.create(engine.random.base62("id/pi", 24, "pi_"), {
      ...terms,
      clientKey: engine.random.base62("secret/client-key", 32, "ck_"),
      processingTime: assumptions.milliseconds("intent.processing-time"),
    });
    engine.publish({ type: "payment_intent.created", resource: "payment_intent", row: intent, at: engine.now });
    return intent;
  }

  status(intentId: string, caller: Caller): IntentStatusResult {
    const intent = this.#opened(intentId, caller);
    const { transactionId, amount, method } = intent.data;
    return {
      id: intent.id,
      transactionId,
      amount,
      status: statusOf[intent.state],
      ...(method === undefined ? {} : { paymentMethod: { id: method.id, type: method.kind } }),
      createdAt: toTimestamp(intent.createdAt),
      updatedAt: toTimestamp(intent.updatedAt),
    };
  }

  confirm(
    intentId: string,
    body: ConfirmIntentBody,
    caller: Caller,
    publicUrl: string,
  ): Confirmation | { readonly declined: ApiError } {
    const intent = this.#opened(intentId, caller);
    if (intent.state === "requires_action") return { declined: challengeOpen(intent, publicUrl) };
    if (!isBeforeProcessing(intent)) throw new ApiError("INTENT_ALREADY_CONFIRMED");
    const paid = this.pay(intent, this.methodOf(body, intent.data), body.contact);
    if (paid.declined !== undefined) return { declined: paid.declined };
    return {
      id: intent.id,
      intentId: intent.id,
      status: statusOf[paid.intent.state],
      ...actionOf(paid.intent, publicUrl),
    };
  }

  /**
   * The method that a confirmation names; a card sent in full is kept for its merchant under a new id, without its number.
   * @throws {ApiError} `PAYMENT_METHOD_INVALID`, also for a wallet that would have to pay renewals (`subscription.wallets`)
   */
  methodOf(
    { paymentMethodId, paymentMethod, creditCardDetails }: ConfirmIntentBody,
    { merchantId, purpose }: Pick<IntentTerms, "merchantId" | "purpose">,
  ): PaymentMethod {
    const { paymentMethods, assumptions } = this.#options;
    const id = paymentMethodId ?? paymentMethod ?? "";
    const method =
      id === "card" && creditCardDetails !== undefined
        ? paymentMethods.mint(creditCardDetails, merchantId)
        : paymentMethods.resolve(id, merchantId);
    if (purpose === "subscription" && method.kind !== "card" && assumptions.value("subscription.wallets") === "refuse")
      throw new ApiError("PAYMENT_METHOD_INVALID", { message: `Subscriptions do not take ${method.kind}` });
    return method;
  }

  /**
   * Charges an intent that may still be confirmed, the customer being present.
   * @returns the intent after it, and the decline that answers the call where there is one; in both cases what happened stands
   */
  pay(
    intent: IntentRow,
    method: PaymentMethod,
    contact?: Contact,
  ): { readonly intent: IntentRow; readonly declined?: ApiError } {
    const { engine, faults } = this.#options;
    const charge = faults.none ? undefined : this.#occasion(intent, method, "present");
    const fault = charge === undefined ? undefined : faultyAnswer(faults, charge);
    const wasUnavailable = intent.data.wasUnavailable === true;
    const answer = chargeWithCustomer(method, { now: engine.now, wasUnavailable, fault });
    if (answer.kind === "unavailable") {
      // A method is down once and remembers it; a fault is counted where it is planned.
      const untouched = fault === undefined ? this.#intents.step(intent.id, { type: "processor_unavailable" }) : intent;
      return {
        intent: untouched,
        declined: new ApiError("INTERNAL_ERROR", { message: "The processor is unavailable; try again" }),
      };
    }
    this.#intents.step(intent.id, { type: "attach_method", method, contact });
    const challenge = answer.kind === "challenge" ? this.#challenge(method, answer.nextAction) : undefined;
    const synchronous = answer.kind === "decided" && answer.synchronous;
    const holdUp = charge === undefined || synchronous ? undefined : holdUpOf(faults, charge);
    const confirmed = this.#intents.step(intent.id, { type: "confirm", outcome: answer.outcome, challenge, holdUp });
    if (!synchronous) return { intent: confirmed };
    const decided = this.#intents.step(intent.id, { type: "decide" });
    return decided.data.declineCode === "insufficient_funds"
      ? { intent: decided, declined: new ApiError("INSUFFICIENT_FUNDS") }
      : { intent: decided };
  }

  /**
   * Charges an intent at a renewal or a retry, when nobody is there to act on a challenge.
   * @param attempt 1 for an invoice's first automatic attempt
   */
  payWithoutCustomer(intent: IntentRow, method: PaymentMethod, attempt: number): IntentRow {
    const { engine, faults } = this.#options;
    const charge = faults.none ? undefined : this.#occasion(intent, method, "absent");
    const fault = charge === undefined ? undefined : faultyAnswer(faults, charge);
    const wasUnavailable = intent.data.wasUnavailable === true;
    const outcome = chargeWithoutCustomer(method, { now: engine.now, attempt, wasUnavailable, fault });
    const holdUp = charge === undefined ? undefined : holdUpOf(faults, charge);
    this.#intents.step(intent.id, { type: "attach_method", method, contact: undefined });
    return this.#intents.step(intent.id, { type: "confirm", outcome, challenge: undefined, holdUp });
  }

  /** The customer acts on a challenge. Where it is no longer open, nothing changes. */
  authenticate(challengeId: string, passed: boolean): IntentRow {
    const intent = this.byChallenge(challengeId);
    if (intent === undefined) throw new ApiError("NOT_FOUND", { message: "There is no such challenge" });
    if (intent.state !== "requires_action") return intent;
    this.#options.assumptions.use(["intent.authentication"]);
    return this.#intents.step(intent.id, { type: "authenticate", passed });
  }

  /** Where the customer goes after a challenge, with the status of this moment (`intent.return`). */
  returnAddress(intent: IntentRow): string | undefined {
    return this.#returnAddresses.get(intent.data.purpose)?.(intent);
  }

  /**
   * Cancels an intent, as the service's back office would (`intent.cancel`).
   * @throws {CentavoError} `NOT_FOUND`, or `INVALID_STATE` from `processing` or a final state, and for an intent that a checkout
   *   session embeds
   */
  cancel(id: string): IntentRow {
    const intent = this.get(id);
    if (intent === undefined)
      throw new CentavoError(
        "NOT_FOUND",
        `intents.cancel("${id}"): there is no such payment intent; sim.intents.list() shows all.`,
      );
    if (!isBeforeProcessing(intent)) {
      throw new CentavoError(
        "INVALID_STATE",
        `intents.cancel("${id}"): the intent is ${intent.state}, and only an intent that is not yet processing can be canceled.`,
      );
    }
    if (intent.data.purpose === "checkout") {
      throw new CentavoError(
        "INVALID_STATE",
        `intents.cancel("${id}"): the intent is embedded in the checkout session ${intent.data.sessionToken} and ends with it. Cancel the session with sim.customer.cancel(checkoutUrl), or let it expire.`,
      );
    }
    return this.cancelWithOwner(intent);
  }

  /** Cancels an intent because what it pays has ended; one that is processing or final stays as it is. */
  cancelWithOwner(intent: IntentRow): IntentRow {
    if (!isBeforeProcessing(intent)) return intent;
    this.#options.assumptions.use(["intent.cancel"]);
    return this.#intents.step(intent.id, { type: "cancel" });
  }

  /** The service's fee in centavos, 0 until the method is known (`intent.fee`). */
  feeOf({ data }: IntentRow): number {
    return feeOf(data.amount, data.method?.kind, this.#options.assumptions.value("intent.fee"));
  }

  /** @throws {ApiError} for a scheme that neither the web nor `return.schemes` knows */
  checkReturnUrl(returnUrl: string | undefined): void {
    if (returnUrl === undefined || /^https?:/i.test(returnUrl)) return;
    const scheme = returnUrl.slice(0, returnUrl.indexOf(":"));
    if (!this.#options.assumptions.value("return.schemes").includes(scheme)) {
      throw invalidField(
        "returnUrl",
        `must be an http or https address; the assumption return.schemes may allow "${scheme}"`,
      );
    }
  }

  /** Whether what an intent belongs to needs it after its end. */
  isNeeded(intent: IntentRow): boolean {
    return this.#owners.get(intent.data.purpose)?.needs(intent) === true;
  }

  /** Lets go of intents for good, and of what belongs to them. */
  forget(ids: readonly string[]): void {
    const intents = ids.flatMap((id) => this.get(id) ?? []);
    for (const [purpose, owner] of this.#owners) owner.forget(intents.filter(({ data }) => data.purpose === purpose));
    this.externalIds.forget(intents);
    this.#intents.rows.forget(ids);
  }

  #opened(intentId: string, caller: Caller): IntentRow {
    const intent = this.get(intentId);
    if (caller.kind === "client-key" && caller.intentId !== intentId) {
      throw new ApiError("UNAUTHORIZED", { headers: { "www-authenticate": 'Bearer error="invalid_token"' } });
    }
    const merchantId = "merchantId" in caller ? caller.merchantId : undefined;
    // Another merchant's intent, and one that a checkout session keeps to itself, do not exist for the caller.
    if (intent === undefined || intent.data.merchantId !== merchantId || intent.data.purpose === "checkout")
      throw new ApiError("INTENT_NOT_FOUND");
    return intent;
  }

  #occasion(intent: IntentRow, method: PaymentMethod, customer: "present" | "absent"): ChargeOccasion {
    const { merchantId, purpose, transactionId, sessionToken, externalId, subscriptionId, invoiceId } = intent.data;
    const owners = this.#ownerIds.get(purpose)?.(intent) ?? [];
    const ids = [intent.id, transactionId, sessionToken, externalId, subscriptionId, invoiceId, ...owners];
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
    return { id: engine.random.base62("id/ach", 24, "ach_"), nextAction, expiresAt: engine.now + window };
  }
}

/** Whether an intent can still be confirmed or canceled. */
function isBeforeProcessing({ state }: IntentRow): boolean {
  return state === "requires_payment_method" || state === "requires_confirmation" || state === "requires_action";
}
