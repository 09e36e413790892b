import { waitAtMost } from "../../kit/base/runtime/time-limit.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { Recorder } from "./recorder.ts";
import type { Aftermath, PassedEvent } from "./test-record.ts";

/** Longer than the service repeats a delivery, and than the trouble that comes latest. */
const LONG_ENOUGH = "4 days";
/** How long it may take, in milliseconds of real time. */
const PATIENCE = 2000;

/**
 * Lets the service repeat the deliveries that a test left unfinished, and asks whether the merchant still works: whether it
 * accepts an event once more that it has accepted before.
 * @returns undefined when everything was delivered, and where the merchant may have ended with its test
 */
export async function aftermathOf(sim: Simulator, recorder: Recorder): Promise<Aftermath | undefined> {
  const { outbox } = sim.internals.parts;
  const isLeft = outbox
    .events()
    .some(({ status, attempts }) => status === "pending" || (status === "exhausted" && attempts > 0));
  const known = outbox.events().findLast(({ status, fault }) => status === "delivered" && fault === undefined);
  if (!isLeft || known === undefined || sim.clock.busy) return undefined;
  const repeat = async (): Promise<boolean> => {
    await sim.clock.advance(LONG_ENOUGH);
    sim.webhooks.redeliver(known.id);
    await sim.clock.settle();
    const again = outbox.event(known.id);
    const [latest] = again === undefined ? [] : outbox.attemptsOf(again).slice(-1);
    return latest?.delivered === true && again?.attempts !== known.attempts;
  };
  let isAlive = false;
  await waitAtMost(
    PATIENCE,
    repeat().then(
      (answer) => (isAlive = answer),
      () => undefined,
    ),
  );
  return { events: eventsNow(recorder), isAlive };
}

/** Copies the events as they are now. */
export function eventsNow({ events }: Recorder): readonly PassedEvent[] {
  return events.map((event) => ({ ...event, attempts: [...event.attempts] }));
}
