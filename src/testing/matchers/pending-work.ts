import { keyOf } from "../../kit/engine/timer.ts";
import { firstOf } from "./outcome.ts";
import type { Outcome } from "./outcome.ts";
import { simulatorIn } from "./subject.ts";

/** Finds everything pending: timers, calls that hang, deliveries in flight, and events that are held or waiting. */
export function checkNoPendingWork(received: unknown): Outcome {
  const sim = simulatorIn("toHaveNoPendingWork", received);
  const { engine, outbox } = sim.internals.parts;
  const pending = [
    ...engine.inFlight.map((timer) => `in flight: ${keyOf(timer)}`),
    ...sim.clock.pending().map(({ at, key }) => (at === undefined ? key : `${at}: ${key}`)),
    ...outbox
      .events()
      .filter(({ onHold }) => onHold === true)
      .map(({ id, type }) => `held, or without a connected app: ${type} ${id}`),
  ];
  const listed = firstOf(pending, (more) => `and ${more} more`);
  return {
    pass: pending.length === 0,
    subject: "The simulator",
    expectation: "be free of pending work",
    found:
      pending.length === 0
        ? "Nothing is on the clock, in flight or waiting."
        : `Still to come:\n${listed.map((line) => `- ${line}`).join("\n")}\nawait sim.clock.settle() runs what is due now, and sim.clock.advance(…) what is due later.`,
    expected: [],
    actual: listed,
  };
}
