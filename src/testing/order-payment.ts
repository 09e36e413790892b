import { DeliveryByHand } from "./delivery-by-hand.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { findPayment } from "./payments.ts";
import type { OrderPayment } from "./payments.ts";

/** How an order names its payment: one of the two. */
export interface PlacedOrder {
  readonly intentId?: string | undefined;
  readonly sessionToken?: string | undefined;
}

/** An event as the service announces it about an order's payment. */
export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  /** Where it goes. */
  readonly url: string;
  /** What its merchant's deliveries are signed with. */
  readonly secret: string;
  /** The exact text of its body. */
  readonly text: string;
}

/** What a forgery changes in an event. */
export interface EventChange {
  readonly id?: string;
  readonly type?: string;
  readonly status?: string;
  /** Centavos. */
  readonly amount?: number;
  readonly paymentId?: string;
  readonly externalId?: string;
  /** Beside what the service sends. */
  readonly more?: object;
}

const METHOD = "pm_card_approved";
const PAID: Readonly<Record<OrderPayment["kind"], string>> = { payment_intent: "succeeded", checkout: "completed" };
const OPEN = new Set(["pending", "requires_payment_method", "requires_confirmation", "requires_action", "processing"]);

/** The status, and the last part of the event's type, of a payment that came in. */
export function paidStatus({ kind }: Pick<OrderPayment, "kind">): string {
  return PAID[kind];
}

/** @throws {CentavoError} `INVALID_OPTION` for an order without a payment that somebody may still pay */
export function paymentOf(sim: Simulator, order: PlacedOrder): OrderPayment {
  // Plain JavaScript forgets to answer one.
  const { intentId, sessionToken } = (order as PlacedOrder | undefined | null) ?? {};
  const payment =
    sessionToken === undefined
      ? findPayment(sim, "payment_intent", intentId ?? "")
      : findPayment(sim, "checkout", sessionToken);
  if (payment === undefined || (intentId !== undefined && sessionToken !== undefined)) {
    throw misuse(
      `answered ${JSON.stringify(order)}. Let it answer { intentId } or { sessionToken } of a payment that the merchant's code has just created in this simulator`,
    );
  }
  if (payment.receiver === undefined) {
    throw misuse(
      `answered an order whose payment ${payment.id} has no receiver of its events. Give the payment a webhookUrl, or the simulator: createSimulator({ webhookUrl })`,
    );
  }
  if (!OPEN.has(payment.status)) {
    throw misuse(
      `answered an order whose payment ${payment.id} is ${payment.status} already. Each case pays by itself, or does not: let the order wait for its customer, as with pm_card_challenge or a checkout session, and move no clock`,
    );
  }
  return payment;
}

/** Whether only the customer can move the payment on, so that the clock may move without it. */
export function waitsForCustomer({ status, challenged }: OrderPayment): boolean {
  return status !== "processing" || challenged !== undefined;
}

/** Pays as the customer, and moves the clock until the money is there. */
export async function pay(sim: Simulator, { kind, id }: OrderPayment): Promise<void> {
  const current = (): OrderPayment | undefined => findPayment(sim, kind, id);
  const { status, challenged, clientKey } = current() ?? {};
  if (challenged !== undefined) await sim.customer.authenticate(challenged);
  else if (status === "requires_payment_method") await confirm(sim, id, clientKey);
  else if (status === "pending") await sim.customer.pay(`${sim.baseUrl}/pay/${id}`, METHOD);
  const isOver = (): boolean => !OPEN.has(current()?.status ?? "");
  await sim.clock.advanceUntil(isOver).catch((error: unknown) => {
    // What the clock says of its limit is about a condition that nobody outside has written.
    if (!(error instanceof CentavoError) || error.code !== "CLOCK_LIMIT") throw error;
  });
  if (isOver()) await sim.clock.settle();
  const end = current()?.status;
  if (end !== PAID[kind]) {
    const what = isOver()
      ? `ended as ${end} when its customer paid`
      : `was still ${end} a year after its customer paid`;
    throw misuse(
      `answered an order whose payment ${id} ${what}. ${plannedFaults(sim)}Use a payment method that is approved, such as pm_card_challenge`,
    );
  }
}

/** The event about a payment that a world announced last with this status. */
export function eventAbout(sim: Simulator, payment: OrderPayment, status: string): PaymentEvent {
  const type = `${payment.kind}.${status}`;
  const byHand = new DeliveryByHand(sim);
  const event = byHand.events().findLast((each) => each.type === type && isAbout(payment, byHand.bodyOf(each)));
  if (event?.url === undefined) {
    throw misuse(
      `answered the payment ${payment.id}, of which the service tells nobody. ${plannedFaults(sim)}If a checkout session embeds it, answer the sessionToken instead`,
    );
  }
  return {
    id: event.id,
    type,
    url: event.url,
    secret: byHand.secretOf(event.merchantId),
    text: byHand.bodyOf(event),
  };
}

/** Whether an event's body is about this payment. */
export function isAbout({ kind, id }: OrderPayment, text: string): boolean {
  const body = JSON.parse(text) as { readonly data?: { readonly id?: string }; readonly sessionToken?: string };
  return id === (kind === "checkout" ? body.sessionToken : body.data?.id);
}

/** Another event, written as the service writes. */
export function changed(
  sim: Simulator,
  event: PaymentEvent,
  { id = event.id, type = event.type, paymentId, more, ...fields }: EventChange,
): PaymentEvent {
  const body = JSON.parse(event.text) as Record<string, unknown>;
  const { data } = body as { readonly data?: { readonly id: string; readonly attributes: object } };
  const about =
    data === undefined
      ? { ...fields, ...(paymentId !== undefined && { sessionToken: paymentId }) }
      : { data: { ...data, id: paymentId ?? data.id, attributes: { ...data.attributes, ...fields } } };
  return { ...event, id, type, text: new DeliveryByHand(sim).write({ ...body, ...about, ...more, id, type }) };
}

/** A payment that does not come to its end in a world with planned faults has most likely met one. */
export function plannedFaults(sim: Simulator): string {
  const planned = sim.faults.list().map(({ id, fault }) => `${id} (${fault.kind})`);
  if (planned.length === 0) return "";
  return `A planned fault is the likely cause: ${planned.join(", ")}. The cases need a service without faults: plan none here, or remove them with sim.faults.clear(). `;
}

async function confirm(sim: Simulator, id: string, clientKey = ""): Promise<void> {
  const headers = { authorization: `Bearer ${clientKey}`, "content-type": "application/json" };
  const body = JSON.stringify({ paymentMethodId: METHOD });
  await sim.fetch(`/api/payment-intent/${id}/confirm`, { method: "POST", headers, body });
}

function misuse(what: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `hostileDeliveries: the option order ${what}.`);
}
