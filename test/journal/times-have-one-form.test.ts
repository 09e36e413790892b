import { createSimulator, type JournalEntry } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { HOOKS } from "../merchant/requests.ts";

const START = "2026-01-01T00:00:00.000Z";

async function paidWithFaults(): Promise<Merchant> {
  const merchant = await Merchant.open({ assumptions: { "webhook.stamp": "virtual" } }, (_, count) =>
    count === 1 ? new Response(null, { status: 500 }) : new Response(),
  );
  const { sim } = merchant;
  const slow = sim.faults.add({ kind: "request.latency", route: "payment-intent.create", delay: "10 s", times: 1 });
  const creating = merchant.createIntent({ webhookUrl: HOOKS });
  await slow.struck();
  await sim.clock.advance("10 s");
  const { id } = await creating;
  ok(await merchant.confirm(id, "pm_card_approved"));
  await sim.clock.advance("2 minutes");
  return merchant;
}

function partsOf(entries: readonly JournalEntry[], kind: JournalEntry["kind"]): object[] {
  return entries
    .filter((entry) => entry.kind === kind)
    .map(({ details, volatile }) => Object.assign({}, details, volatile));
}

describe("a time in the journal is ISO 8601 in UTC, as in every view:", () => {
  test("the moment of each entry, and the times of its details and of what is true of one run", async () => {
    const { entries } = (await paidWithFaults()).sim.journal;
    expect(entries[0]?.at).toBe(START);
    expect(partsOf(entries, "token")).toMatchObject([{ expiresAt: "2026-01-01T01:00:00.000Z" }]);
    expect(partsOf(entries, "fault")).toContainEqual(
      expect.objectContaining({ act: "hold", until: "2026-01-01T00:00:10.000Z" }),
    );
    expect(partsOf(entries, "delivery")).toContainEqual(
      expect.objectContaining({ stamp: "2026-01-01T00:00:10.000Z", nextAt: "2026-01-01T00:00:12.000Z" }),
    );
    expect(JSON.stringify(entries)).not.toContain(String(Date.parse(START)).slice(0, 5));
  });

  test("the view of the same attempt has the same time", async () => {
    const { sim } = await paidWithFaults();
    const deliveries = sim.journal.entries.flatMap((entry) =>
      entry.kind === "delivery" ? [{ at: entry.at, nextAt: entry.details.nextAt }] : [],
    );
    expect(deliveries).toEqual(sim.webhooks.attempts().map(({ at, nextAt }) => ({ at, nextAt })));
  });

  test("what a restored world has in place of a time stays as it is", async () => {
    const { sim } = await paidWithFaults();
    const snapshot = JSON.parse(JSON.stringify(sim.snapshot())) as ReturnType<typeof sim.snapshot>;
    for (const { kind, volatile } of snapshot.world.journal)
      if (kind === "delivery") Object.assign(volatile ?? {}, { stamp: 1e300 });
    const restored = createSimulator({ assumptions: { "webhook.stamp": "virtual" } });
    restored.restore(snapshot, { edited: true });
    expect(partsOf(restored.journal.entries, "delivery")).toContainEqual(expect.objectContaining({ stamp: 1e300 }));
  });
});

test("recordings and snapshots store times in milliseconds since 1970", async () => {
  const { sim } = await paidWithFaults();
  const now = Date.parse(sim.clock.now());
  const { options, inputs, end } = sim.recording();
  expect([options.now, inputs[0]?.at, end.at]).toEqual([START, Date.parse(START), now]);
  const { journal, now: stored } = sim.snapshot().world;
  expect([journal[0]?.at, stored]).toEqual([Date.parse(START), now]);
});
