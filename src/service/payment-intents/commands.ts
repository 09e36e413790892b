import type { Assumptions } from "../assumption-table.ts";
import { LifecycleRows } from "../../kit/engine/lifecycle-rows.ts";
import type { Engine } from "../../kit/engine/engine.ts";
import type { Table } from "../../kit/engine/table.ts";
import { Lifecycle } from "../../kit/engine/lifecycle.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { fieldProblems } from "../../kit/http/problem.ts";
import type { FieldProblem } from "../../kit/http/problem.ts";
import type { Faults } from "../../kit/faults/faults.ts";
import { ApiError } from "../api-error.ts";
import { amountProblems } from "../fields.ts";
import { toTimestamp } from "../../kit/engine/timestamp.ts";
import type { Caller } from "../route.ts";
import { feeOf } from "../payment-methods/charge.ts";
import type { PaymentMethods } from "../payment-methods/commands.ts";
import { Charges } from "./charges.ts";
import { ExternalIds } from "./external-ids.ts";
import { paymentIntentMachine, intentWhenDue } from "./machine.ts";
import type { IntentRow, IntentTerms } from "./machine.ts";
import { challengeOpen, confirmationOf, placesUnder } from "./next-action.ts";
import { IntentOwners } from "./owners.ts";
import { returnAddressUnder, returnUrlProblems } from "./return-address.ts";
import type { FieldsOfTerms } from "./return-address.ts";
import { intentData } from "./rows.ts";
import { statusOf } from "./status.ts";
import { fieldOfMethod } from "../wire/confirm-call.ts";
import type {
  Confirmation,
  ConfirmIntentBody,
  CreatedIntent,
  CreateIntentBody,
  IntentStatusResult,
} from "../schemas/payment-intents.ts";

export const paymentIntentLifecycle = new Lifecycle("payment_intent", paymentIntentMachine, intentWhenDue);

/** The parts of the service that `PaymentIntents` uses. */
export interface PaymentIntentsOptions {
  readonly engine: Engine;
  readonly assumptions: Assumptions;
  readonly faults: Faults;
  readonly paymentMethods: PaymentMethods;
}

/** The commands on payment intents (4.1), for the API and for the resources that intents pay for. */
export class PaymentIntents {
  readonly #options: PaymentIntentsOptions;
  readonly #intents: LifecycleRows<typeof paymentIntentMachine>;
  readonly owners = new IntentOwners();
  readonly charges: Charges;
  /** Returns where the customer's pages are for a caller who reached the service at this base URL. */
  readonly placeAt: ReturnType<typeof placesUnder>;
  readonly externalIds: ExternalIds;
  /** Returns a merchant's name for the pages. The resource that knows the merchants sets it. */
  merchantName: (merchantId: string) => string = (merchantId) => merchantId;

  constructor(options: PaymentIntentsOptions) {
    const { engine, assumptions } = options;
    this.#options = options;
    this.placeAt = placesUnder(assumptions);
    this.externalIds = new ExternalIds(engine, assumptions);
    this.#intents = new LifecycleRows(engine, paymentIntentLifecycle, {
      data: intentData,
      keys: { clientKey: ({ data }) => data.clientKey, challenge: ({ data }) => data.challenge?.id },
      identifies: ["id", "clientKey", "challenge"],
    });
    this.charges = new Charges({ ...options, intents: this.#intents, owners: this.owners });
    this.owners.register("payment_intent", {
      returnAddress: returnAddressUnder(assumptions),
      ids: () => [],
      needs: () => false,
      forget: () => {},
    });
  }

  get(id: string): IntentRow | undefined {
    return this.#intents.rows.get(id);
  }

  /** Virtual time in milliseconds since 1970. */
  get now(): number {
    return this.#options.engine.now;
  }

  get rows(): Table<IntentRow> {
    return this.#intents.rows;
  }

  byClientKey(clientKey: string): { id: string; merchantId: string } | undefined {
    const intent = this.#intents.rows.by("clientKey", clientKey);
    if (intent === undefined || intent.data.purpose === "checkout") return undefined;
    return { id: intent.id, merchantId: intent.data.merchantId };
  }

  byChallenge(challengeId: string): IntentRow | undefined {
    return this.#intents.rows.by("challenge", challengeId);
  }

  /** Returns what is wrong with new terms beyond the schemas of their fields. */
  problems({ merchantId, body }: FieldsOfTerms): FieldProblem[] {
    return [
      ...returnUrlProblems(body.returnUrl, this.#options.assumptions),
      ...this.externalIds.problems(merchantId, body.externalId),
    ];
  }

  /** Returns what is wrong with a new intent of the API. */
  problemsOfNew(fields: FieldsOfTerms & { readonly body: Partial<CreateIntentBody> }): FieldProblem[] {
    const minimum = this.#options.assumptions.value("http.minimum-amount");
    return [...amountProblems(fields.body.amount, minimum), ...this.problems(fields)];
  }

  create(merchantId: string, body: CreateIntentBody): CreatedIntent {
    const { assumptions, engine } = this.#options;
    const { description = "", externalId, contact, metadata, returnUrl, webhookUrl } = body;
    const intent = this.open({
      merchantId,
      purpose: "payment_intent",
      transactionId: engine.random.id("txn"),
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
      paymentMethods: assumptions.value("intent.payment-methods"),
      fee: this.feeOf(intent),
      createdAt: toTimestamp(intent.createdAt),
      updatedAt: toTimestamp(intent.updatedAt),
    };
  }

  /** Creates an intent for any purpose. */
  open(terms: Omit<IntentTerms, "clientKey" | "processingTime">): IntentRow {
    const { engine, assumptions } = this.#options;
    const intent = this.#intents.create(engine.random.id("pi"), {
      ...terms,
      clientKey: engine.random.base62("secret/client-key", 32, "ck_fake_"),
      processingTime: assumptions.milliseconds("intent.processing-time"),
    });
    engine.publish({ type: "payment_intent.created", resource: "payment_intent", row: intent, at: engine.now });
    return intent;
  }

  status(intentId: string, caller: Caller): IntentStatusResult {
    const intent = this.opened(intentId, caller);
    const { transactionId, amount, currency, method } = intent.data;
    return {
      id: intent.id,
      transactionId,
      amount,
      ...(currency === undefined ? {} : { currency }),
      status: statusOf[intent.state],
      ...(method === undefined ? {} : { paymentMethod: { id: method.id, type: method.kind } }),
      createdAt: toTimestamp(intent.createdAt),
      updatedAt: toTimestamp(intent.updatedAt),
    };
  }

  /** Returns what is wrong with a confirmation that names no method, for an intent to which none is attached. */
  methodProblems(merchantId: string, intentId: string | undefined, body: Partial<ConfirmIntentBody>): FieldProblem[] {
    const intent = this.get(intentId ?? "");
    const field = fieldOfMethod(this.#options.assumptions.value("intent.confirm-request"));
    const isNamed = body.paymentMethodId !== undefined || body.paymentMethod !== undefined;
    return isNamed || intent?.data.merchantId !== merchantId || intent.state !== "requires_payment_method"
      ? []
      : fieldProblems([field], "is required");
  }

  confirm(
    intentId: string,
    body: ConfirmIntentBody,
    caller: Caller,
    publicUrl: string,
  ): Confirmation | { readonly declined: ApiError } {
    const intent = this.opened(intentId, caller);
    const place = this.placeAt(publicUrl);
    if (intent.state === "requires_action")
      return this.challenged(intent, publicUrl, true) ?? confirmationOf(intent, place);
    if (!this.mayBeCanceled(intent) && this.repeatsEnded) return confirmationOf(intent, place);
    const message = "The payment intent is canceled and cannot be confirmed";
    if (intent.state === "canceled") throw new ApiError("INTENT_ALREADY_CONFIRMED", { message });
    if (!this.mayBeCanceled(intent)) throw new ApiError("INTENT_ALREADY_CONFIRMED");
    const paid = this.charges.withCustomer(intent, this.charges.namedIn(body, intent.data), body.contact);
    if (paid.declined !== undefined) return { declined: paid.declined };
    return this.challenged(paid.intent, publicUrl, false) ?? confirmationOf(paid.intent, place);
  }

  /** Returns the error of a call that leads to a challenge, or that finds it open; undefined if it answers the challenge (`intent.challenge-error`). */
  challenged(intent: IntentRow, publicUrl: string, wasOpen: boolean): { readonly declined: ApiError } | undefined {
    if (intent.state !== "requires_action") return undefined;
    const when = this.#options.assumptions.value("intent.challenge-error");
    const isTold = when === "first" || (when === "repeat" && wasOpen);
    return isTold ? { declined: challengeOpen(intent, this.placeAt(publicUrl)) } : undefined;
  }

  /** Whether a confirmation of a payment that is processing or has ended answers it as it is (`intent.confirm-twice`). */
  get repeatsEnded(): boolean {
    return this.#options.assumptions.value("intent.confirm-twice") === "repeat";
  }

  /**
   * Passes or fails a challenge for the customer. Leaves a challenge that is no longer open as it is.
   * @throws {ApiError} `NOT_FOUND`
   */
  authenticate(challengeId: string, passed: boolean): IntentRow {
    const intent = this.byChallenge(challengeId);
    if (intent === undefined) throw new ApiError("NOT_FOUND", { message: "The challenge does not exist" });
    const input = { type: "authenticate", passed } as const;
    if (!this.#intents.accepts(intent, input)) return intent;
    this.#options.assumptions.use(["intent.authentication"]);
    return this.#intents.step(intent.id, input);
  }

  /** Returns the URL to which the customer returns after a challenge, with the current status (`intent.return`). */
  returnAddress(intent: IntentRow): string | undefined {
    return this.owners.of(intent).returnAddress(intent);
  }

  /** Whether an intent can be canceled: it is neither processing nor final. */
  mayBeCanceled(intent: IntentRow): boolean {
    return this.#intents.accepts(intent, { type: "cancel" });
  }

  /**
   * Cancels an intent in the role of the service's back office (`intent.cancel`).
   * @throws {CentavoError} `NOT_FOUND`; `INVALID_STATE` from `processing` or a final state, and for an intent that a checkout
   *   session embeds
   */
  cancel(id: string): IntentRow {
    const intent = this.get(id);
    if (intent === undefined)
      throw new CentavoError(
        "NOT_FOUND",
        `intents.cancel("${id}"): no payment intent has this id; sim.intents.list() returns all of them.`,
      );
    if (!this.mayBeCanceled(intent)) {
      throw new CentavoError(
        "INVALID_STATE",
        `intents.cancel("${id}"): the intent is ${intent.state}; an intent can be canceled only before it is processing.`,
      );
    }
    if (intent.data.purpose === "checkout") {
      throw new CentavoError(
        "INVALID_STATE",
        `intents.cancel("${id}"): the intent belongs to the checkout session ${intent.data.sessionToken} and ends with it. Cancel the session with sim.customer.cancel(checkoutUrl), or let it expire.`,
      );
    }
    return this.cancelWithOwner(intent);
  }

  /** Cancels an intent because its owner has ended. Leaves an intent that is processing or final as it is. */
  cancelWithOwner(intent: IntentRow): IntentRow {
    if (!this.mayBeCanceled(intent)) return intent;
    this.#options.assumptions.use(["intent.cancel"]);
    return this.#intents.step(intent.id, { type: "cancel" });
  }

  /** Returns the service's fee in centavos: 0 until the method is known (`intent.fee`). */
  feeOf({ data }: IntentRow): number {
    return feeOf(data.amount, data.method?.kind, this.#options.assumptions.value("intent.fee"));
  }

  /** Whether the owner of an intent still needs it after its end. */
  isNeeded(intent: IntentRow): boolean {
    return this.owners.of(intent).needs(intent);
  }

  /** Forgets intents and what belongs to them. */
  forget(ids: readonly string[]): void {
    const intents = ids.flatMap((id) => this.get(id) ?? []);
    this.owners.forget(intents);
    this.externalIds.forget(intents);
    this.#intents.rows.forget(ids);
  }

  opened(intentId: string, caller: Caller): IntentRow {
    const intent = this.get(intentId);
    if (caller.kind === "client-key" && caller.intentId !== intentId) {
      throw new ApiError("UNAUTHORIZED", { headers: { "www-authenticate": 'Bearer error="invalid_token"' } });
    }
    const merchantId = "merchantId" in caller ? caller.merchantId : undefined;
    // For the caller, another merchant's intents do not exist, nor do those of checkout sessions.
    if (intent === undefined || intent.data.merchantId !== merchantId || intent.data.purpose === "checkout")
      throw new ApiError("INTENT_NOT_FOUND");
    return intent;
  }
}
