import type { Fault } from "centavo";
import { expect, test, vi } from "vitest";
import { PaymentIntents } from "../../src/service/payment-intents/commands.ts";
import { waitingIntent } from "../faults/waiting-intent.ts";
import type { WaitingIntent } from "../faults/waiting-intent.ts";
import { contradictions } from "./contradictions.ts";

/** Reads the intent's status, which is answered wrongly. */
async function readWrongly({ sim, intentId, authorization }: WaitingIntent): Promise<void> {
  using wrong = vi.spyOn(PaymentIntents.prototype, "status");
  wrong.mockReturnValue({} as never);
  await sim.fetch(`/api/payment-intent/${intentId}/status`, { headers: { authorization } });
}

const SPOILING: readonly Fault[] = [
  { kind: "request.status", status: 418 },
  { kind: "request.malformed" },
  { kind: "response.status", status: 418 },
  { kind: "response.truncated" },
  { kind: "response.content-type" },
];

test.each(SPOILING)("an answer that $kind spoils is not held to the contract", async (fault) => {
  const waiting = await waitingIntent();
  waiting.sim.faults.add({ ...fault, times: 1 });
  await readWrongly(waiting);
  expect(await contradictions.take()).toEqual([]);
  await readWrongly(waiting);
  expect(await contradictions.take()).toHaveLength(1);
});

test("a fault that does not match, or is added meanwhile, exempts nothing", async () => {
  const waiting = await waitingIntent();
  waiting.sim.faults.add({ kind: "response.truncated", route: "payment-intent.create" });
  const reading = readWrongly(waiting);
  waiting.sim.faults.add({ kind: "response.truncated", route: "payment-intent.confirm" });
  await reading;
  expect(await contradictions.take()).toHaveLength(1);
});

test.each(["request.latency", "response.late"] as const)(
  "an answer that %s only holds back is the service's own, and another call's is too meanwhile",
  async (kind) => {
    const waiting = await waitingIntent();
    const fault = waiting.sim.faults.add({ kind, delay: "1 second", times: 1 });
    using wrong = vi.spyOn(PaymentIntents.prototype, "status");
    wrong.mockReturnValue({} as never);
    const { sim, intentId, authorization } = waiting;
    const held = sim.fetch(`/api/payment-intent/${intentId}/status`, { headers: { authorization } });
    await fault.struck();
    await sim.fetch(`/api/payment-intent/${intentId}/status`, { headers: { authorization } });
    expect(await contradictions.take()).toHaveLength(1);
    await sim.clock.advance("1 second");
    await held;
    expect(await contradictions.take()).toHaveLength(1);
  },
);

test("a held call that is spoilt is exempt, and the call that moves the clock is not", async () => {
  const waiting = await waitingIntent();
  const fault = waiting.sim.faults.add({ kind: "request.latency", delay: "1 second", times: 1 });
  waiting.sim.faults.add({ kind: "response.truncated", times: 1 });
  const held = readWrongly(waiting);
  await fault.struck();
  await waiting.sim.clock.advance("1 second");
  await held;
  expect(await contradictions.take()).toEqual([]);
});
