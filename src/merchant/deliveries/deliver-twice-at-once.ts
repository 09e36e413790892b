import type { ReceiverAnswer } from "../../kit/receivers/receiver-answer.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { DeliveryByHand } from "./delivery-by-hand.ts";
import { headersOf, signDelivery } from "./delivery-signature.ts";

/**
 * Delivers an event twice at the same moment, both correctly signed: the second is under way before the first is answered, as when a
 * service has two workers. The service still makes its own deliveries of the event; plan `webhook.drop` for a test without them. The clock
 * stands still.
 *
 * @param sim the simulator that the merchant's app is connected to
 * @param eventId the id of an event of `sim.webhooks.events()`
 * @returns both answers
 * @throws {CentavoError} `NOT_FOUND` for an unknown event, `INVALID_OPTION` for one without a receiver
 *
 * @example
 * const [event] = sim.webhooks.events({ type: "payment_intent.succeeded" });
 * await deliverTwiceAtOnce(sim, event.id);
 * expect(shop.parcels).toHaveLength(1);
 */
export async function deliverTwiceAtOnce(
  sim: Simulator,
  eventId: string,
): Promise<readonly [ReceiverAnswer, ReceiverAnswer]> {
  const byHand = new DeliveryByHand(sim);
  const event = byHand.eventWith("deliverTwiceAtOnce", eventId);
  const signature = headersOf(signDelivery(byHand.toSign(event)));
  const deliver = (): Promise<ReceiverAnswer> => byHand.send("twice at once", byHand.requestOf(event, signature));
  return Promise.all([deliver(), deliver()]);
}
