import { realTime } from "../kit/base/runtime/real-time.ts";
import type { ReceiverAnswer } from "../kit/receivers/receiver-answer.ts";
import { DeliveryByHand } from "../merchant/deliveries/delivery-by-hand.ts";
import { headersOf, signDelivery } from "../merchant/deliveries/delivery-signature.ts";
import { forgedRequest, forgeryKinds } from "../merchant/deliveries/forge-delivery.ts";
import type { Forgery } from "../merchant/deliveries/forge-delivery.ts";
import { isAccepted, verdictOnAnswer } from "../merchant/deliveries/judge-answer.ts";
import type { AnswerVerdict, ExpectedAnswer } from "../merchant/deliveries/judge-answer.ts";
import type { PaymentEvent } from "../merchant/deliveries/order-payment.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { Happened } from "./trigger-events.ts";
import { isOutOfReach } from "./trigger-http.ts";

/** How the events are sent. */
export interface Manner {
  /** Sends only the event that was asked for. */
  readonly only?: boolean;
  /** Sends each event twice at the same moment. */
  readonly twice?: boolean;
  /** Sends the events in another order, drawn from the seed. */
  readonly shuffled?: boolean;
  /** Sends forgeries of each event before it. */
  readonly forged?: boolean;
}

/** A delivery, and how its receiver should answer it. */
export interface PlannedDelivery {
  readonly event: PaymentEvent;
  /** What is wrong with it; absent if it is genuine. */
  readonly forgery?: Forgery["kind"];
  readonly expected: ExpectedAnswer;
  /** Returns the request, signed now. */
  readonly request: () => Request;
}

/** A delivery that was made. */
export interface MadeDelivery extends Omit<PlannedDelivery, "request"> {
  readonly answer: ReceiverAnswer;
  /** How long the answer took, in milliseconds of real time. */
  readonly milliseconds: number;
  /** What is wrong with the answer; absent if nothing is. */
  readonly verdict?: AnswerVerdict | undefined;
}

/** Returns the deliveries in order. Those of one group are made at the same moment. */
export function plannedDeliveries(happened: Happened, manner: Manner): readonly (readonly PlannedDelivery[])[] {
  const { sim, events } = happened;
  const byHand = new DeliveryByHand(sim);
  const chosen = manner.only === true ? events.slice(-1) : events;
  const ordered = manner.shuffled === true ? shuffled(sim, chosen) : chosen;
  return ordered.flatMap((event) => {
    const forgeries: (readonly PlannedDelivery[])[] =
      manner.forged !== true ? [] : forgeryKinds.map((kind) => [forgeryOf(sim, event, kind)]);
    const request = (): Request => byHand.requestOf(event, headersOf(signDelivery(byHand.toSign(event))));
    const genuine = { event, expected: manner.twice === true ? "either" : "success", request } as const;
    forgeries.push(manner.twice === true ? [genuine, genuine] : [genuine]);
    return forgeries;
  });
}

function forgeryOf(sim: Simulator, event: PaymentEvent, kind: Forgery["kind"]): PlannedDelivery {
  return { event, forgery: kind, expected: "refusal", request: () => forgedRequest(sim, event, { kind }) };
}

/** Returns the events in another order, if there is one. */
function shuffled(sim: Simulator, events: readonly PaymentEvent[]): readonly PaymentEvent[] {
  const { engine } = sim.internals.parts;
  const drawn = engine.unit(() => {
    const left = [...events];
    const order: PaymentEvent[] = [];
    while (left.length > 0) order.push(...left.splice(engine.random.below("trigger/order", left.length), 1));
    return order;
  });
  const isTrueOrder = drawn.every((event, index) => event === events[index]);
  return isTrueOrder ? drawn.toReversed() : drawn;
}

/**
 * Makes the deliveries of a group, and judges the answers.
 * @param send sends a request, and never rejects
 */
export async function deliver(
  group: readonly PlannedDelivery[],
  send: (request: Request) => Promise<ReceiverAnswer>,
): Promise<readonly MadeDelivery[]> {
  const answered = await Promise.all(
    group.map(async ({ request, ...planned }) => {
      const begin = realTime();
      const answer = await send(request());
      return { ...planned, answer, milliseconds: Math.round(realTime() - begin) };
    }),
  );
  const oneIsAccepted = answered.some(({ answer }) => isAccepted(answer));
  return answered.map((made) => {
    // Of two at once, the receiver may refuse one, but not both.
    const expected = made.expected === "either" && !oneIsAccepted ? "success" : made.expected;
    return Object.assign(made, {
      verdict: isOutOfReach(made.answer) ? undefined : verdictOnAnswer(made.answer, expected),
    });
  });
}
