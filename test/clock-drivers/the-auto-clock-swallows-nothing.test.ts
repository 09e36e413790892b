import { CentavoError, createSimulator, type Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { cardWith } from "../merchant/requests.ts";

const torn = new RangeError("the rope tore");

/** Lets the auto clock do what it has to do. */
async function turns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A payment in a world whose clock has a listener that throws until it is mended. */
async function withBrokenListener(): Promise<{ sim: Simulator; merchant: Merchant; id: string; mend: () => void }> {
  const sim = createSimulator({ clock: "auto" });
  const merchant = await Merchant.of(sim);
  const mend = sim.clock.onMove(() => {
    throw torn;
  });
  const id = await merchant.pay({});
  await turns();
  return { sim, merchant, id, mend };
}

/** The calls of a test that reject for what failed before them. */
const calls: readonly (readonly [string, (sim: Simulator) => unknown])[] = [
  ["clock.settle()", (sim) => sim.clock.settle()],
  ['clock.advance("1 day")', (sim) => sim.clock.advance("1 day")],
  ['clock.advanceTo("2026-02-01")', (sim) => sim.clock.advanceTo("2026-02-01")],
  ["clock.advanceUntil()", (sim) => sim.clock.advanceUntil(() => true)],
  ["customer.authenticate()", (sim) => sim.customer.authenticate("https://api.pay.example/authenticate/x")],
  ['The act "fault.add"', (sim) => sim.faults.add({ kind: "response.lost" })],
  ['The act "cancel"', (sim) => sim.intents.cancel(sim.intents.last()?.id ?? "")],
  ['The act "mint"', (sim) => sim.paymentMethods.create(cardWith("4343434343434345"))],
  ["sim.snapshot()", (sim) => sim.snapshot()],
  ["sim.fork()", (sim) => sim.fork()],
  ["sim.reset()", (sim) => sim.reset()],
  ["sim.close()", (sim) => sim.close()],
];

describe("what a listener throws under the auto clock", () => {
  test("is journaled at the moment when it was thrown", async () => {
    const { sim, id } = await withBrokenListener();
    expect(sim.intents.get(id)?.status).toBe("processing");
    expect(sim.journal.entries.findLast(({ kind }) => kind === "failure")).toMatchObject({
      details: { message: "the rope tore" },
    });
  });

  test.for(calls)("rejects %s, once, with what was thrown as the cause", async ([name, call]) => {
    const { sim, mend } = await withBrokenListener();
    mend();
    const attempt = async (): Promise<unknown> => call(sim);
    const error = await attempt().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(CentavoError);
    expect(error).toMatchObject({ code: "CLOCK_AUTO_FAILED", cause: torn });
    expect(String(error)).toMatch(/The auto clock failed at 2026-.*: the rope tore\. .*sim\.journal/);
    expect(String(error)).toContain(name);
    const again = await attempt().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(again).not.toMatchObject({ code: "CLOCK_AUTO_FAILED" });
  });

  test("rejects a restore that has put its world in place", async () => {
    const sim = createSimulator({ clock: "auto" });
    const before = sim.snapshot();
    const merchant = await Merchant.of(sim);
    const mend = sim.clock.onMove(() => {
      throw torn;
    });
    await merchant.pay({});
    await turns();
    mend();
    expect(() => sim.restore(before)).toThrow(/sim\.restore\(\) has done its work/);
    expect(sim.snapshot()).toEqual(before);
  });

  test("never rejects the merchant's own calls, which would take it for a broken network", async () => {
    const { merchant, id } = await withBrokenListener();
    expect((await merchant.intentStatus(id)).status).toBe("processing");
  });

  test("leaves due timers on the clock until the failure is mended", async () => {
    const { sim, merchant, id, mend } = await withBrokenListener();
    mend();
    await expect(sim.clock.settle()).rejects.toThrow("the rope tore");
    await merchant.intentStatus(id);
    await turns();
    expect((await merchant.intentStatus(id)).status).toBe("succeeded");
  });

  test("is told once for all that failed before the call, with their number", async () => {
    const { sim, merchant, id } = await withBrokenListener();
    await merchant.intentStatus(id);
    await turns();
    await expect(sim.clock.settle()).rejects.toThrow(/the rope tore\. \d more followed/);
  });

  test("is in the replay of the run", async () => {
    const { sim, mend } = await withBrokenListener();
    mend();
    const { inputs } = sim.recording();
    expect(inputs.at(-1)).toMatchObject({ kind: "note", entry: "failure", details: { message: "the rope tore" } });
  });
});

test("a webhook handler that throws is an answer under every clock: a failed attempt, which is tried again", async () => {
  const merchant = await Merchant.open({ clock: "auto" }, () => {
    throw torn;
  });
  const { sim } = merchant;
  await merchant.pay();
  await turns();
  await sim.clock.settle();
  expect(sim.webhooks.attempts()[0]?.answer).toMatchObject({ kind: "failed", reason: "threw" });
});
