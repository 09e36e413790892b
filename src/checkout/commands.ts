import type { Assumptions } from "../assumptions.ts";
import { addDuration } from "../engine/duration.ts";
import { Resources } from "../engine/engine.ts";
import type { Engine } from "../engine/engine.ts";
import { Lifecycle } from "../engine/lifecycle.ts";
import type { RowOf } from "../engine/lifecycle.ts";
import { ApiError } from "../http/errors.ts";
import { toTimestamp } from "../engine/timestamp.ts";
import { actionOf, challengeOpen, withQuery } from "../payment-intents/commands.ts";
import type { IntentRow, PaymentIntents } from "../payment-intents/commands.ts";
import type { ConfirmIntentBody } from "../payment-intents/schema.ts";
import { checkoutMachine } from "./machine.ts";
import type { CheckoutInput, CheckoutTerms } from "./machine.ts";
import { statusOf } from "./schema.ts";
import type { CheckoutSession, CreateCheckoutBody, CreatedCheckout, PolledCheckout, ProcessedCheckout } from "./schema.ts";

export const checkoutLifecycle = new Lifecycle("checkout", checkoutMachine);

/** A checkout session as it is stored. */
export type CheckoutRow = RowOf<typeof checkoutMachine>;

/** What `Checkout` needs of the rest of the service. */
export interface CheckoutOptions {
  readonly engine: Engine;
  readonly assumptions: Assumptions;
  readonly intents: PaymentIntents;
}

type Unstamped<Input> = Input extends unknown ? Omit<Input, "at"> : never;

/** What the API and the hosted page do with checkout sessions (4.2). */
export class Checkout {
  readonly #options: CheckoutOptions;
  readonly #sessions: Resources<typeof checkoutMachine>;

  constructor(options: CheckoutOptions) {
    this.#options = options;
    this.#sessions = new Resources(options.engine, checkoutLifecycle, {
      sessionToken: ({ data }) => data.sessionToken,
      intent: ({ data }) => data.intentId,
    });
    options.intents.returnTo("checkout", (intent) => {
      const session = this.byToken(intent.data.sessionToken);
      return session === undefined ? undefined : this.returnAddress(session);
    });
  }

  get(id: string): CheckoutRow | undefined {
    return this.#sessions.rows.get(id);
  }

  all(): CheckoutRow[] {
    return [...this.#sessions.rows.values()];
  }

  byToken(sessionToken: string): CheckoutRow | undefined {
    return this.#sessions.rows.by("sessionToken", sessionToken);
  }

  /** The session that this intent pays for now; an intent that a further try replaced pays for none. */
  byIntent(intentId: string): CheckoutRow | undefined {
    return this.#sessions.rows.by("intent", intentId);
  }

  create(merchantId: string, body: CreateCheckoutBody, publicUrl: string): CreatedCheckout {
    const { engine, assumptions, intents } = this.#options;
    intents.checkReturnUrl(body.returnUrl);
    const { externalId, amount, description, webhookUrl, returnUrl, metadata, isThirdParty = true } = body;
    const id = `cs_${engine.random.base62("id/cs", 24)}`;
    const { name, email, contact: phone } = body.contact;
    const terms = {
      merchantId,
      sessionToken: engine.random.uuid("token/session"),
      transactionId: `txn_${engine.random.base62("id/txn", 24)}`,
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
    intents.externalIds.use(merchantId, externalId, id);
    return this.#created(session, publicUrl);
  }

  /** A session for the administrator, of whichever merchant. */
  session(sessionToken: string, publicUrl: string): CheckoutSession {
    const session = this.byToken(sessionToken);
    if (session === undefined) throw new ApiError("SESSION_NOT_FOUND");
    const { externalId, contact, metadata, isThirdParty, transactionId } = session.data;
    const method = this.intentOf(session).data.method;
    return {
      ...this.#created(session, publicUrl),
      externalId,
      contact: { name: contact.name ?? "", email: contact.email ?? "", ...(contact.phone === undefined ? {} : { contact: contact.phone }) },
      ...(metadata === undefined ? {} : { metadata }),
      isThirdParty,
      ...(method === undefined ? {} : { paymentMethod: { id: method.id, type: method.kind } }),
      transactionId,
      updatedAt: toTimestamp(session.updatedAt),
    };
  }

  poll(merchantId: string, sessionToken: string): PolledCheckout {
    return polled(this.#owned(merchantId, sessionToken));
  }

  process(merchantId: string, sessionToken: string, method: ConfirmIntentBody, publicUrl: string): ProcessedCheckout | { readonly declined: ApiError } {
    const session = this.#owned(merchantId, sessionToken);
    this.#options.assumptions.rely(["checkout.expired-token"]);
    if (session.state === "expired") throw new ApiError("SESSION_NOT_FOUND");
    return this.pay(session, method, publicUrl);
  }

  /** Pays a session, whether the merchant asks for it or the customer on the hosted page. */
  pay(session: CheckoutRow, method: ConfirmIntentBody, publicUrl: string): ProcessedCheckout | { readonly declined: ApiError } {
    const { intents } = this.#options;
    const intent = this.intentOf(session);
    if (intent.state === "requires_action") return { declined: challengeOpen(intent, publicUrl) };
    if (session.state !== "pending") throw new ApiError("INTENT_ALREADY_CONFIRMED", { message: `The session is ${session.state} and was processed before` });
    const paid = intents.pay(intent, intents.methodOf(method));
    const after = intents.get(intent.id) as IntentRow;
    // A processor that is down leaves both as they were.
    if (after.state === "requires_payment_method") return paid as { readonly declined: ApiError };
    this.#step(session.id, { type: "process", challengeOpen: after.state === "requires_action" });
    if ("declined" in paid) return paid;
    return { ...polled(this.get(session.id) as CheckoutRow), ...actionOf(after, publicUrl) };
  }

  /** The customer gives up on the hosted page. Where the session is no longer pending, nothing changes. */
  cancel(session: CheckoutRow): CheckoutRow {
    return session.state === "pending" ? this.#step(session.id, { type: "cancel" }) : session;
  }

  /** What becomes of a session when its intent has ended. */
  settle(session: CheckoutRow, approved: boolean): void {
    if (approved) {
      this.#step(session.id, { type: "complete" });
      return;
    }
    const nextIntentId = session.data.triesLeft > 0 ? this.#embedIntent(session.data).id : undefined;
    this.#step(session.id, { type: "decline", nextIntentId });
  }

  closeChallenge(session: CheckoutRow): void {
    this.#step(session.id, { type: "challenge_closed" });
  }

  intentOf(session: CheckoutRow): IntentRow {
    return this.#options.intents.get(session.data.intentId) as IntentRow;
  }

  /** Where the customer goes back to, with the status of this moment (`checkout.return`). */
  returnAddress({ state, data }: CheckoutRow): string {
    return withQuery(data.returnUrl, { sessionToken: data.sessionToken, externalId: data.externalId, status: statusOf[state] });
  }

  #owned(merchantId: string, sessionToken: string): CheckoutRow {
    const session = this.byToken(sessionToken);
    if (session === undefined || session.data.merchantId !== merchantId) throw new ApiError("SESSION_NOT_FOUND");
    return session;
  }

  #embedIntent(terms: Omit<CheckoutTerms, "intentId" | "expiresAt" | "triesLeft" | "isThirdParty">): IntentRow {
    const { merchantId, sessionToken, transactionId, amount, description, externalId, contact } = terms;
    return this.#options.intents.open({ merchantId, purpose: "checkout", transactionId, sessionToken, amount, description, externalId, contact });
  }

  #created(session: CheckoutRow, publicUrl: string): CreatedCheckout {
    const { sessionToken, amount, description, expiresAt } = session.data;
    return {
      id: session.id,
      sessionToken,
      amount,
      fee: this.#options.intents.feeOf(this.intentOf(session)),
      description,
      checkoutUrl: `${publicUrl}/pay/${sessionToken}`,
      expiresAt: toTimestamp(expiresAt),
      status: statusOf[session.state],
      createdAt: toTimestamp(session.createdAt),
    };
  }

  #step(id: string, input: Unstamped<CheckoutInput>): CheckoutRow {
    return this.#sessions.step(id, input);
  }
}

function polled({ state, data, updatedAt }: CheckoutRow): PolledCheckout {
  return { sessionToken: data.sessionToken, status: statusOf[state], transactionId: data.transactionId, updatedAt: toTimestamp(updatedAt) };
}
