import { DeliveryByHand } from "./delivery-by-hand.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { findPayment } from "./payments.ts";
import type { OrderPayment } from "./payments.ts";
import { pathOf } from "../../service/wire/paths.ts";

/** An order with either the `intentId` or the `sessionToken` of its payment. */
export interface PlacedOrder {
  readonly intentId?: string | undefined;
  readonly sessionToken?: string | undefined;
}

/** An event about an order's payment, as the service announces it. */
export interface PaymentEvent {
  readonly id: string;
  readonly type: string;
  /** The receiver of the event. */
  readonly url: string;
  /** The webhook secret of the event's merchant. */
  readonly secret: string;
  /** The exact text of the body. */
  readonly text: string;
}

/** The parts of an event that a forgery changes. */
export interface EventChange {
  readonly id?: string;
  readonly type?: string;
  readonly status?: string;
  /** Centavos. */
  readonly amount?: number;
  readonly paymentId?: string;
  readonly externalId?: string;
  /** Additional fields of the body. */
  readonly more?: object;
}

const METHOD = "pm_card_approved";
const PAID: Readonly<Record<OrderPayment["kind"], string>> = { payment_intent: "succeeded", checkout: "completed" };
const OPEN = new Set(["pending", "requires_payment_method", "requires_confirmation", "requires_action", "processing"]);

/** Returns the status of a successful payment, which its event's type also ends with. */
export function paidStatus({ kind }: Pick<OrderPayment, "kind">): string {
  return PAID[kind];
}

/**
 * Returns the payment of an order.
 * @throws {CentavoError} `INVALID_OPTION` when the payment is missing, has no receiver, or can no longer be paid
 */
export function paymentOf(sim: Simulator, order: PlacedOrder): OrderPayment {
  // In plain JavaScript, the callback may forget to return an order.
  const { intentId, sessionToken } = (order as PlacedOrder | undefined | null) ?? {};
  const payment =
    sessionToken === undefined
      ? findPayment(sim, "payment_intent", intentId ?? "")
      : findPayment(sim, "checkout", sessionToken);
  if (payment === undefined || (intentId !== undefined && sessionToken !== undefined)) {
    throw misuse(
      `returned ${inWords(order)}. Return the { intentId } or { sessionToken } of a payment that the merchant's code has just created in this simulator`,
    );
  }
  if (payment.receiver === undefined) {
    throw misuse(
      `returned an order whose payment ${payment.id} has no receiver for its events. Give the payment a webhookUrl, or the simulator: createSimulator({ webhookUrl })`,
    );
  }
  if (!OPEN.has(payment.status)) {
    throw misuse(
      `returned an order whose payment ${payment.id} is already ${payment.status}. Each case itself decides whether to pay. Return an order that waits for its customer, as with pm_card_challenge or a checkout session, and do not move the clock`,
    );
  }
  return payment;
}

/** Whether the payment waits for its customer, so that moving the clock does not change it. */
export function waitsForCustomer({ status, challenged }: OrderPayment): boolean {
  return status !== "processing" || challenged !== undefined;
}

/** Pays as the customer, and moves the clock until the payment succeeds. */
export async function pay(sim: Simulator, { kind, id }: OrderPayment): Promise<void> {
  const current = (): OrderPayment | undefined => findPayment(sim, kind, id);
  const { status, challenged, clientKey } = current() ?? {};
  if (challenged !== undefined) await sim.customer.authenticate(challenged);
  else if (status === "requires_payment_method") await confirm(sim, id, clientKey);
  else if (status === "pending") await sim.customer.pay(sim.checkouts.get(id)?.checkoutUrl, METHOD);
  const isOver = (): boolean => !OPEN.has(current()?.status ?? "");
  await sim.clock.advanceUntil(isOver).catch((error: unknown) => {
    // The clock's own message is about a condition that the test did not write. A better message follows.
    if (!(error instanceof CentavoError) || error.code !== "CLOCK_LIMIT") throw error;
  });
  if (isOver()) await sim.clock.settle();
  const end = current()?.status;
  if (end !== PAID[kind]) {
    const what = isOver()
      ? `ended as ${end} when its customer paid`
      : `was still ${end} a year after its customer paid`;
    throw misuse(
      `returned an order whose payment ${id} ${what}. ${plannedFaults(sim)}Use a payment method that is approved, such as pm_card_challenge`,
    );
  }
}

/** Returns the last announced event about a payment with this status. */
export function eventAbout(sim: Simulator, payment: OrderPayment, status: string): PaymentEvent {
  const type = `${payment.kind}.${status}`;
  const byHand = new DeliveryByHand(sim);
  const event = byHand.events().findLast((each) => each.type === type && isAbout(payment, byHand.read(each.body)));
  const found = event && byHand.eventOf(event);
  if (found === undefined) {
    throw misuse(
      `returned the payment ${payment.id}, which has no event. ${plannedFaults(sim)}If a checkout session embeds the payment, return the sessionToken instead`,
    );
  }
  return found;
}

/** Whether an event is about this payment. */
export function isAbout({ kind, id }: OrderPayment, event: object): boolean {
  const body = event as { readonly data?: { readonly id?: string }; readonly sessionToken?: string };
  return id === (kind === "checkout" ? body.sessionToken : body.data?.id);
}

/** Returns a changed event, with its body in the style of the service. */
export function changed(
  sim: Simulator,
  event: PaymentEvent,
  { id = event.id, type = event.type, paymentId, more, ...fields }: EventChange,
): PaymentEvent {
  const byHand = new DeliveryByHand(sim);
  const body = byHand.read(event.text);
  const { data } = body as { readonly data?: { readonly id: string; readonly attributes: object } };
  const about =
    data === undefined
      ? { ...fields, ...(paymentId !== undefined && { sessionToken: paymentId }) }
      : { data: { ...data, id: paymentId ?? data.id, attributes: { ...data.attributes, ...fields } } };
  return { ...event, id, type, text: byHand.write({ ...body, ...about, ...more, id, type }) };
}

/** Names the planned faults, the likely cause of a payment that does not succeed; empty if there are none. */
export function plannedFaults(sim: Simulator): string {
  const planned = sim.faults.list().map(({ id, fault }) => `${id} (${fault.kind})`);
  if (planned.length === 0) return "";
  return `A planned fault is the likely cause: ${planned.join(", ")}. The cases need a service without faults: plan none here, or remove them with sim.faults.clear(). `;
}

async function confirm(sim: Simulator, id: string, clientKey = ""): Promise<void> {
  const headers = { authorization: `Bearer ${clientKey}`, "content-type": "application/json" };
  const body = JSON.stringify({ paymentMethodId: METHOD });
  const path = pathOf(sim.internals.parts.assumptions.overrides, "payment-intent.confirm", { intentId: id });
  await sim.fetch(path, { method: "POST", headers, body });
}

function misuse(what: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `hostileDeliveries: the option order ${what}.`);
}
