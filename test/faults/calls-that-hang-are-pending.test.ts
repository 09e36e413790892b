import { expect, test } from "vitest";
import { failureOf, waitingIntent } from "./waiting-intent.ts";

test.each([{ kind: "request.hang" }, { kind: "response.lost", as: "hang" }] as const)(
  "a call under $kind stands in clock.pending() until its client gives up",
  async (fault) => {
    const { sim, confirm } = await waitingIntent();
    const added = sim.faults.add({ ...fault, times: 1 });
    const before = sim.clock.pending();
    const controller = new AbortController();
    const outcome = failureOf(confirm({ signal: controller.signal }));
    await added.struck();
    const hanging = sim.clock.pending().filter(({ at }) => at === undefined);
    expect(hanging).toEqual([
      {
        what: expect.stringMatching(/^POST \S+\/confirm hangs until its client gives up$/) as string,
        key: expect.stringMatching(/^hanging-call\/POST \S+\/confirm$/) as string,
        input: { type: "give_up" },
      },
    ]);
    expect(
      sim
        .fork()
        .clock.pending()
        .every(({ at }) => at !== undefined),
    ).toBe(true);
    controller.abort();
    await outcome;
    if (fault.kind === "request.hang") expect(sim.clock.pending()).toEqual(before);
    expect(sim.clock.pending().every(({ at }) => at !== undefined)).toBe(true);
  },
);

test("a call that hangs leaves clock.pending() with its world", async () => {
  const { sim, confirm } = await waitingIntent();
  const added = sim.faults.add({ kind: "request.hang" });
  const outcome = failureOf(confirm());
  await added.struck();
  sim.reset();
  expect(sim.clock.pending()).toEqual([]);
  expect(await outcome).toMatchObject({ cause: { code: "WORLD_ENDED" } });
});
