import type { Assumptions } from "../assumption-table.ts";
import { addDuration } from "../../kit/engine/duration.ts";
import { LifecycleRows } from "../../kit/engine/lifecycle-rows.ts";
import type { Engine } from "../../kit/engine/engine.ts";
import type { Table } from "../../kit/engine/table.ts";
import { Lifecycle } from "../../kit/engine/lifecycle.ts";
import type { InputTo } from "../../kit/engine/lifecycle.ts";
import type { FieldProblem } from "../../kit/http/problem.ts";
import { ApiError } from "../api-error.ts";
import { opensSession } from "../fields.ts";
import type { PaymentIntents } from "../payment-intents/commands.ts";
import type { IntentRow, IntentTerms } from "../payment-intents/machine.ts";
import { actionOf, challengeAddress, challengeOpen } from "../payment-intents/next-action.ts";
import { withQuery } from "../payment-intents/return-address.ts";
import { filledQuery } from "../wire/return-query.ts";
import type { FieldsOfTerms } from "../payment-intents/return-address.ts";
import type { ConfirmIntentBody } from "../schemas/payment-intents.ts";
import { createdSession, polledSession, shownSession } from "./answers.ts";
import { checkoutMachine, checkoutWhenDue } from "./machine.ts";
import type { CheckoutRow, CheckoutState, CheckoutTerms } from "./machine.ts";
import { checkoutData } from "./rows.ts";
import { statusOf } from "./status.ts";
import type {
  CheckoutSession,
  CheckoutStatus,
  CreateCheckoutBody,
  CreatedCheckout,
  PolledCheckout,
  ProcessedCheckout,
} from "../schemas/checkout.ts";

export const checkoutLifecycle = new Lifecycle("checkout", checkoutMachine, checkoutWhenDue);

/** The parts of the service that `Checkout` uses. */
export interface CheckoutOptions {
  readonly engine: Engine;
  readonly assumptions: Assumptions;
  readonly intents: PaymentIntents;
}

/** The terms that a session passes on to its intents. */
type EmbeddedTerms = Pick<
  CheckoutTerms,
  "merchantId" | "sessionToken" | "transactionId" | "amount" | "description" | "externalId" | "contact"
>;

/** The commands on checkout sessions (4.2), for the API and the hosted page. */
export class Checkout {
  readonly #options: CheckoutOptions;
  readonly #sessions: LifecycleRows<typeof checkoutMachine>;

  constructor(options: CheckoutOptions) {
    this.#options = options;
    this.#sessions = new LifecycleRows(options.engine, checkoutLifecycle, {
      data: checkoutData,
      keys: { sessionToken: ({ data }) => data.sessionToken, intent: ({ data }) => data.intentId },
      identifies: ["id", "sessionToken"],
    });
    options.intents.owners.register("checkout", {
      returnAddress: ({ data }) => {
        const session = this.byToken(data.sessionToken);
        return session === undefined ? undefined : this.returnAddress(session);
      },
      ids: ({ data }) => [this.byToken(data.sessionToken)?.id],
      needs: () => false,
      // `forget` of the session forgets its intents too, so nothing is left to do here.
      forget: () => {},
    });
  }

  get intents(): PaymentIntents {
    return this.#options.intents;
  }

  get(id: string): CheckoutRow | undefined {
    return this.#sessions.rows.get(id);
  }

  get rows(): Table<CheckoutRow> {
    return this.#sessions.rows;
  }

  byToken(sessionToken: string): CheckoutRow | undefined {
    return this.#sessions.rows.by("sessionToken", sessionToken);
  }

  /**
   * @param merchantId the caller, for whom other merchants' sessions do not exist; by default the token alone opens any
   * @throws {ApiError} `SESSION_NOT_FOUND`
   */
  existing(sessionToken: string, merchantId = ""): CheckoutRow {
    const session = this.byToken(sessionToken);
    if (session === undefined || !opensSession(merchantId, session.data.merchantId))
      throw new ApiError("SESSION_NOT_FOUND");
    return session;
  }

  /** Returns the session that the intent pays for now; undefined for an intent that a further try replaced. */
  byIntent(intentId: string): CheckoutRow | undefined {
    return this.#sessions.rows.by("intent", intentId);
  }

  /** Returns the status that a session shows (`checkout.moves`). */
  statusOf({ state }: CheckoutRow): CheckoutStatus {
    return this.hides(state) ? "pending" : statusOf[state];
  }

  /** Whether a state stays hidden, so that a session in it shows `pending`. */
  hides(state: CheckoutState): boolean {
    return state === "processing" && this.#options.assumptions.value("checkout.moves") === "hide-processing";
  }

  problems(fields: FieldsOfTerms): FieldProblem[] {
    return this.#options.intents.problems(fields);
  }

  create(merchantId: string, body: CreateCheckoutBody, publicUrl: string): CreatedCheckout {
    const { engine, assumptions, intents } = this.#options;
    const { externalId, amount, description, webhookUrl, returnUrl, metadata, isThirdParty = true } = body;
    const id = engine.random.id("cs");
    const { name, email, contact: phone } = body.contact;
    const terms = {
      merchantId,
      sessionToken: engine.random.uuid("token/session"),
      transactionId: engine.random.id("txn"),
      externalId,
      amount,
      description,
      webhookUrl,
      returnUrl,
      contact: { name, email, ...(phone === undefined ? {} : { phone }) },
      ...(metadata === undefined ? {} : { metadata }),
    };
    const session = this.#sessions.create(id, {
      ...terms,
      isThirdParty,
      intentId: this.#embedIntent(terms).id,
      expiresAt: addDuration(engine.now, assumptions.value("checkout.lifetime")),
      triesLeft: assumptions.value("checkout.retry"),
    });
    engine.publish({ type: "checkout.created", resource: "checkout", row: session, at: engine.now });
    intents.externalIds.use(merchantId, externalId, id);
    return createdSession(session, this.statusOf(session), this.#feeOf(session), this.intents.placeAt(publicUrl));
  }

  /** Returns the session of any merchant, for the administrator. */
  session(sessionToken: string, publicUrl: string): CheckoutSession {
    return this.view(this.#readable(this.existing(sessionToken)), publicUrl);
  }

  /** Shows a session whether its token has expired or not. */
  view(session: CheckoutRow, publicUrl: string): CheckoutSession {
    const place = this.intents.placeAt(publicUrl);
    const created = createdSession(session, this.statusOf(session), this.#feeOf(session), place);
    return shownSession(created, session, this.intentOf(session));
  }

  poll(merchantId: string, sessionToken: string): PolledCheckout {
    return this.#polled(this.#readable(this.existing(sessionToken, merchantId)));
  }

  process(
    merchantId: string,
    sessionToken: string,
    method: ConfirmIntentBody,
    publicUrl: string,
  ): ProcessedCheckout | { readonly declined: ApiError } {
    const session = this.existing(sessionToken, merchantId);
    if (session.state === "expired") throw new ApiError("SESSION_NOT_FOUND");
    if (session.state === "cancelled")
      throw new ApiError("SESSION_NOT_FOUND", { message: "Session not found: the customer cancelled it" });
    const { intents } = this.#options;
    const intent = this.intentOf(session);
    if (intent.state === "requires_action")
      return intents.challenged(intent, publicUrl, true) ?? this.#processed(session, intent, publicUrl);
    if (!this.isPayable(session) && intents.repeatsEnded) return this.#processed(session, intent, publicUrl);
    const paid = this.pay(session, method, publicUrl);
    return "declined" in paid ? paid : (intents.challenged(this.intentOf(session), publicUrl, false) ?? paid);
  }

  /** Pays a session, for the merchant's call or for the customer on the hosted page. */
  pay(
    session: CheckoutRow,
    method: ConfirmIntentBody,
    publicUrl: string,
  ): ProcessedCheckout | { readonly declined: ApiError } {
    const { intents } = this.#options;
    const intent = this.intentOf(session);
    if (intent.state === "requires_action") return { declined: challengeOpen(intent, this.intents.placeAt(publicUrl)) };
    if (!this.isPayable(session))
      throw new ApiError("INTENT_ALREADY_CONFIRMED", {
        message: `The session is ${session.state} and cannot be processed again`,
      });
    const named = intents.charges.namedIn(method, intent.data);
    const { intent: after, attempted, declined } = intents.charges.withCustomer(intent, named);
    if (attempted) {
      this.#sessions.step(session.id, { type: "process", challengeOpen: after.state === "requires_action" });
      // A payment that is decided within the call moves the session at once, so that the redirect carries the final status.
      this.settle(after);
    }
    return declined === undefined
      ? this.#processed(this.existing(session.data.sessionToken), after, publicUrl)
      : { declined };
  }

  /** Whether the customer can choose a method and pay. */
  isPayable(session: CheckoutRow): boolean {
    return this.#sessions.accepts(session, { type: "process", challengeOpen: false });
  }

  /** Cancels a session for the customer on the hosted page. Leaves a session that is no longer pending as it is. */
  cancel(session: CheckoutRow): void {
    this.#stepIfAccepted(session, { type: "cancel" });
  }

  /** Moves a session after its intent has moved. */
  settle(intent: IntentRow): void {
    const session = this.byIntent(intent.id);
    if (session === undefined) return;
    if (intent.state === "processing") this.#stepIfAccepted(session, { type: "challenge_closed" });
    else if (intent.state === "succeeded") this.#stepIfAccepted(session, { type: "complete" });
    else if (intent.state === "failed") this.#decline(session, intent);
  }

  intentOf(session: CheckoutRow): IntentRow {
    return this.#options.intents.get(session.data.intentId) as IntentRow;
  }

  /** Returns where the hosted page redirects once the session is no longer pending: to its open challenge, or to the merchant. */
  wayOn(session: CheckoutRow, publicUrl: string): string {
    const { state, data } = this.intentOf(session);
    return state === "requires_action" && data.challenge !== undefined
      ? challengeAddress(data.challenge, this.intents.placeAt(publicUrl))
      : this.returnAddress(session);
  }

  /** Returns the URL at the merchant to which the customer returns, with the current status (`checkout.return`). */
  returnAddress(session: CheckoutRow): string {
    const { returnUrl, sessionToken, externalId } = session.data;
    const values = { sessionToken, externalId, status: this.statusOf(session) };
    return withQuery(returnUrl, filledQuery(this.#options.assumptions.value("checkout.return"), values));
  }

  /** Forgets sessions and their intents. */
  forget(ids: readonly string[]): void {
    const { intents } = this.#options;
    const sessions = ids.flatMap((id) => this.get(id) ?? []);
    intents.forget(sessions.flatMap(({ data }) => [...(data.replacedIntentIds ?? []), data.intentId]));
    intents.externalIds.forget(sessions);
    this.#sessions.rows.forget(ids);
  }

  /** @throws {ApiError} `SESSION_NOT_FOUND` for an expired session, if `checkout.expired-token` is `not-found` */
  #readable(session: CheckoutRow): CheckoutRow {
    const { assumptions } = this.#options;
    if (session.state !== "expired" || assumptions.value("checkout.expired-token") === "show") return session;
    throw new ApiError("SESSION_NOT_FOUND");
  }

  /** Ends a session whose payment was declined, or gives it a new intent for a further try (`checkout.retry`). */
  #decline(session: CheckoutRow, { id, data: { wasUnavailable } }: IntentRow): void {
    // The answer does not depend on the next intent, so any id will do. The intent is created only if a try is left.
    const isFurtherTry = this.#sessions.accepts(session, { type: "decline", nextIntentId: id });
    const history = wasUnavailable === true ? { wasUnavailable } : {};
    const next = isFurtherTry ? this.#embedIntent(session.data, history) : undefined;
    this.#stepIfAccepted(session, { type: "decline", nextIntentId: next?.id });
  }

  #stepIfAccepted(session: CheckoutRow, input: InputTo<typeof checkoutMachine>): void {
    if (this.#sessions.accepts(session, input)) this.#sessions.step(session.id, input);
  }

  #embedIntent(terms: EmbeddedTerms, history: Pick<IntentTerms, "wasUnavailable"> = {}): IntentRow {
    const { merchantId, sessionToken, transactionId, amount, description, externalId, contact } = terms;
    return this.#options.intents.open({
      merchantId,
      purpose: "checkout",
      transactionId,
      sessionToken,
      amount,
      description,
      externalId,
      contact,
      ...history,
    });
  }

  #polled(session: CheckoutRow): PolledCheckout {
    return polledSession(session, this.statusOf(session));
  }

  #processed(session: CheckoutRow, intent: IntentRow, publicUrl: string): ProcessedCheckout {
    return { ...this.#polled(session), ...actionOf(intent, this.intents.placeAt(publicUrl)) };
  }

  #feeOf(session: CheckoutRow): number {
    return this.#options.intents.feeOf(this.intentOf(session));
  }
}
