import assert from "node:assert/strict";
import type { AssumptionOverrides } from "../../../src/index.ts";
import { Oracle } from "../oracle/oracle.ts";
import type { Expected } from "../oracle/oracle.ts";
import type { Story } from "../oracle/steps.ts";
import type { Answer } from "../oracle/words.ts";
import { Service } from "./service.ts";

/** What a story came to. */
export interface Outcome {
  readonly requests: number;
  readonly steps: number;
  /** The statuses, events and error codes that came up, such as `payments failed`. */
  readonly met: ReadonlySet<string>;
}

/**
 * Checks that the service does in every step what the oracle says.
 * @param assumptions the values in force, behind a gateway that speaks the service document
 * @throws the first difference, and the step after which it shows
 */
export async function agrees(story: Story, assumptions: AssumptionOverrides = {}): Promise<Outcome> {
  const oracle = new Oracle(story);
  const service = await Service.open(story, assumptions);
  const met = new Set<string>();
  const told: string[] = [];
  for (const [index, step] of story.steps.entries()) {
    const target = oracle.targetOf(step);
    const from = service.sim.clock.now();
    const answer = await service.take(step, target, oracle);
    const where = `after step ${index}, ${JSON.stringify(step)}, from ${from} to ${service.sim.clock.now()}`;
    assert.deepEqual(answer, oracle.take(step, target), `another answer ${where}`);
    const expected = plain(oracle.expected());
    assert.deepEqual(plain(await service.actual()), expected, `another world ${where}`);
    told.push(...expected.events.map(({ type }) => type));
    // Deliveries need the clock.
    if (oracle.instantOf(step) !== undefined) assert.deepEqual(service.arrivals, told, `other webhooks ${where}`);
    note(met, answer, expected);
  }
  await service.sim.close();
  return { requests: service.requests, steps: story.steps.length, met };
}

function note(met: Set<string>, answer: Answer | undefined, expected: Expected): void {
  if (answer?.code !== undefined) met.add(`answers ${answer.code}`);
  const { balances: _, events, ...resources } = expected;
  for (const { type } of events) met.add(`events ${type}`);
  for (const [kind, all] of Object.entries(resources)) for (const { status } of all) met.add(`${kind} ${status}`);
}

/** Without fields that are undefined. */
function plain<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
