import { durationMilliseconds } from "../../kit/engine/duration.ts";
import type { DurationLike } from "../../kit/engine/duration.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import { unknownName } from "../../kit/base/errors/known-names.ts";
import { refuseUnknownOptions } from "../../kit/base/errors/unknown-options.ts";
import type { ReceiverAnswer } from "../../kit/receivers/receiver-answer.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { bodyIn } from "../../kit/webhooks/faulty-attempt.ts";
import { DeliveryByHand } from "./delivery-by-hand.ts";
import { headersOf, signDelivery, withSignature } from "./delivery-signature.ts";
import type { PaymentEvent, PlacedOrder } from "./order-payment.ts";
import { findPayment } from "./payments.ts";
import { promisedEvent } from "./promised-event.ts";

/** What is wrong with a forged delivery. A kind has the same name as the corresponding fault of `sim.faults.add`, if there is one. */
export type Forgery =
  /** It has no signature. */
  | { readonly kind: "unsigned" }
  /** Its signature has the right form, but no secret made it. */
  | { readonly kind: "wrong-signature" }
  /** It is signed with a secret that belongs to no merchant. */
  | { readonly kind: "wrong-secret" }
  /** It is an old delivery, replayed: its signature is correct, but its stamp is `age` old, 10 minutes by default. */
  | { readonly kind: "stale-timestamp"; readonly age?: DurationLike }
  /** Its body was changed after signing: to the text `body`, or else by one number. */
  | { readonly kind: "corrupt-body"; readonly body?: string };

/**
 * What a forged delivery claims: an event of `sim.webhooks.events()`, or that an order is paid although it still waits for its customer.
 */
export type ForgedEvent = { readonly eventId: string } | PlacedOrder;

const FIELDS: Readonly<Record<Forgery["kind"], readonly string[]>> = {
  unsigned: [],
  "wrong-signature": [],
  "wrong-secret": [],
  "stale-timestamp": ["age"],
  "corrupt-body": ["body"],
};
/** Every kind of forgery. */
export const forgeryKinds = Object.keys(FIELDS) as readonly Forgery["kind"][];
const DEFAULT_AGE = "10 minutes";

/**
 * Sends a merchant's app a delivery that does not come from the service, as anyone could who knows its address. Nothing happens at the
 * service, and the clock stands still.
 *
 * @param sim the simulator that the app is connected to
 * @param says `{ eventId }` repeats an event that happened; `{ intentId }` or `{ sessionToken }` says that an unpaid payment has
 *   succeeded, or that its subscription is active
 * @param forgery what is wrong with it
 * @returns the app's answer
 * @throws {CentavoError} `INVALID_OPTION` for an unknown or invalid option, and for a payment that cannot succeed or has no receiver,
 *   `NOT_FOUND` for an event or a payment that is not there
 *
 * @example
 * const { id } = await client.paymentIntents.create({ amount: 49900 });
 * const answer = await forgeDelivery(sim, { intentId: id }, { kind: "unsigned" });
 * // { kind: "answered", status: 401 }
 */
export async function forgeDelivery(sim: Simulator, says: ForgedEvent, forgery: Forgery): Promise<ReceiverAnswer> {
  checkForgery(forgery);
  const event = await eventThat(sim, says);
  return new DeliveryByHand(sim).send(`forged: ${forgery.kind}`, forgedRequest(sim, event, forgery));
}

/** Returns a delivery of an event that is forged in this way. */
export function forgedRequest(sim: Simulator, event: PaymentEvent, forgery: Forgery): Request {
  const byHand = new DeliveryByHand(sim);
  const genuine = byHand.toSign(event);
  const age = forgery.kind === "stale-timestamp" ? durationMilliseconds(forgery.age ?? DEFAULT_AGE) : 0;
  const signed = signDelivery({
    ...genuine,
    stamp: genuine.stamp - Math.ceil(age / 1000),
    ...(forgery.kind === "wrong-secret" && { secret: byHand.newSecret() }),
  });
  const headers = headersOf(forgery.kind === "wrong-signature" ? withSignature(signed, "0".repeat(64)) : signed);
  const body = forgery.kind === "corrupt-body" ? bodyIn({ corruptBody: forgery.body ?? true }, event.text) : event.text;
  return byHand.requestOf({ ...event, text: body }, forgery.kind === "unsigned" ? {} : headers);
}

async function eventThat(sim: Simulator, says: ForgedEvent): Promise<PaymentEvent> {
  refuseUnknownOptions("forgeDelivery", says, ["eventId", "intentId", "sessionToken"]);
  const { eventId, intentId, sessionToken } = says as Partial<Record<"eventId" | "intentId" | "sessionToken", string>>;
  if ([eventId, intentId, sessionToken].filter((id) => id !== undefined).length !== 1)
    throw new CentavoError(
      "INVALID_OPTION",
      `forgeDelivery takes one of { eventId }, { intentId } and { sessionToken }, and got ${inWords(says)}.`,
    );
  if (eventId !== undefined) return new DeliveryByHand(sim).eventWith("forgeDelivery", eventId);
  const kind = intentId === undefined ? "checkout" : "payment_intent";
  const payment = findPayment(sim, kind, intentId ?? sessionToken ?? "");
  if (payment === undefined)
    throw new CentavoError("NOT_FOUND", `forgeDelivery(${inWords(says)}): this simulator has no such payment.`);
  try {
    return await promisedEvent(sim, payment);
  } catch (error) {
    throw new CentavoError(
      "INVALID_OPTION",
      `forgeDelivery(${inWords(says)}): the payment is ${payment.status}, and no event can say that its customer has paid now. Give the eventId of an event that happened, or a payment that waits for its customer and has a receiver.`,
      { cause: error },
    );
  }
}

function checkForgery(forgery: Forgery): void {
  const kinds = Object.keys(FIELDS) as Forgery["kind"][];
  const { kind } = (forgery as Forgery | undefined) ?? {};
  const complaint = unknownName("the kind of forgery", kind, kinds);
  if (kind === undefined || complaint !== undefined)
    throw new CentavoError("INVALID_OPTION", `forgeDelivery: ${complaint}.`);
  refuseUnknownOptions(`forgeDelivery({ kind: "${kind}" })`, forgery, ["kind", ...FIELDS[kind]]);
}
