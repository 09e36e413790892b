import { createSimulator, type Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { expectReplayable } from "./replayable.ts";

/** A call that a fault holds back, and the status that its client gets in the end. */
async function heldCall(sim: Simulator, merchant: Merchant): Promise<{ readonly status: Promise<string> }> {
  const fault = sim.faults.add({
    kind: "request.latency",
    delay: "1 minute",
    route: "payment-intent.create",
    times: 1,
  });
  const status = merchant.createIntent().then(
    ({ id }) => sim.intents.get(id)?.status ?? "",
    (error: unknown) => String(error),
  );
  await fault.struck();
  return { status };
}

describe("faults are part of a recording", () => {
  test("as they were planned, taken away and cleared", async () => {
    const sim = createSimulator();
    const lost = sim.faults.add({ kind: "response.lost", route: "oauth.token", times: 1 });
    await expect(Merchant.of(sim)).rejects.toThrow();
    const merchant = await Merchant.of(sim);
    lost.remove();
    sim.faults.add({ id: "flaky", kind: "request.status", status: 503, probability: 0.5 });
    const statuses: number[] = [];
    for (let call = 0; call < 10; call += 1) statuses.push((await sim.fetch("/api/plans")).status);
    sim.faults.remove("flaky");
    sim.faults.add({ kind: "request.hang" });
    sim.faults.clear();
    await merchant.pay({});
    await sim.clock.settle();
    expect(new Set(statuses).size).toBe(2);
    const kinds = sim.recording().inputs.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind !== "request")).toEqual([
      "fault.add",
      "fault.remove",
      "fault.add",
      "fault.remove",
      "fault.add",
      "fault.clear",
    ]);
    await expectReplayable(sim);
  });

  test("and a call that is held back is recorded when it comes and answered when time lets it go", async () => {
    const sim = createSimulator();
    const merchant = await Merchant.of(sim);
    const { status } = await heldCall(sim, merchant);
    await merchant.createIntent();
    await sim.clock.advance("1 hour");
    expect(await status).toBe("requires_payment_method");
    expect(sim.recording().inputs.filter(({ kind }) => kind === "request")).toMatchObject([
      { target: "/oauth", status: 200 },
      { target: "/api/payment-intent", timers: 0, status: 200 },
      { target: "/api/payment-intent", timers: 0, status: 200 },
    ]);
    const replayed = await expectReplayable(sim);
    expect(replayed.intents.list()).toEqual(sim.intents.list());
  });

  test("and so is a call that closing the simulator broke off", async () => {
    const sim = createSimulator();
    const { status } = await heldCall(sim, await Merchant.of(sim));
    await sim.close();
    expect(await status).toContain("fetch failed");
    await sim.clock.advance("1 hour");
    expect(sim.intents.list()).toEqual([]);
    expect(sim.recording().inputs.at(-1)).toMatchObject({ kind: "broke-off" });
    await expectReplayable(sim);
  });

  test("and a fork that is made while a call is held starts from the world as it stands, without a client to answer", async () => {
    const sim = createSimulator();
    const { status } = await heldCall(sim, await Merchant.of(sim));
    const fork = sim.fork();
    expect(fork.recording()).toMatchObject({ start: { version: 2 }, inputs: [] });
    for (const each of [sim, fork]) await each.clock.advance("1 hour");
    expect([await status, fork.intents.list()]).toEqual(["requires_payment_method", []]);
    for (const each of [sim, fork]) await expectReplayable(each);
  });
});
