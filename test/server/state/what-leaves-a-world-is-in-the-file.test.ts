import { createSimulator, type Simulator } from "centavo";
import { serve } from "centavo/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { openState } from "../../../src/server/state/state.ts";
import { Merchant } from "../../merchant.ts";
import { HOOKS, SHOP } from "../../merchant/requests.ts";
import { woundTime } from "../../clock-drivers/wound-time.ts";
import { killedCopyOf, newStateFile } from "./state-files.ts";

/** A world that a file follows, and what a killed server would find in the file. */
function followed(sim = createSimulator({ webhookUrl: HOOKS })) {
  const path = newStateFile();
  const state = openState(path);
  state.follow("shop", {}, sim);
  onTestFinished(() => state.close());
  const killedAt = (): string => killedCopyOf(path);
  return { sim, killedNow: async () => restored(killedAt()), killedAt };
}

async function restored(path: string): Promise<Simulator> {
  const state = openState(path);
  const sim = createSimulator({ webhookUrl: HOOKS });
  await state.restore("shop", sim);
  state.close();
  return sim;
}

describe("when a server is killed, its file has", () => {
  test("each request whose answer has just left", async () => {
    const { sim, killedNow } = followed();
    const merchant = await Merchant.of(sim);
    const { id } = await merchant.createIntent();
    expect((await killedNow()).intents.get(id)?.status).toBe("requires_payment_method");
    await merchant.confirm(id, "pm_card_approved");
    expect((await killedNow()).intents.get(id)?.status).toBe("processing");
  });

  test("each event that has just been sent, which is sent again with the same id, because nobody has heard its answer", async () => {
    const { sim, killedAt } = followed();
    const files: string[] = [];
    const ids: string[] = [];
    sim.connect(SHOP, async (request) => {
      files.push(killedAt());
      ids.push(((await request.json()) as { readonly id: string }).id);
      return new Response();
    });
    await (await Merchant.of(sim)).pay({}, "pm_card_approved");
    await sim.clock.advance("1 hour");
    const twin = await restored(files[0] as string);
    expect(twin.webhooks.events().map(({ id, attempts }) => [id, attempts])).toEqual(ids.map((id) => [id, 0]));
    const again: string[] = [];
    twin.connect(SHOP, async (request) => {
      again.push(((await request.json()) as { readonly id: string }).id);
      return new Response();
    });
    await twin.clock.advance("1 hour");
    expect(again).toEqual(ids);
    expect(twin.journal.digest()).toBe(sim.journal.digest());
  });

  test("a call that hangs, which nobody waits for any more", async () => {
    const { sim, killedNow } = followed();
    const merchant = await Merchant.of(sim);
    sim.faults.add({ kind: "request.hang", times: 1 });
    const hanging = sim.fetch("/api/transactions").catch(() => undefined);
    await merchant.createIntent();
    const twin = await killedNow();
    expect(twin.clock.pending()).toEqual([]);
    expect(twin.faults.list()).toEqual(sim.faults.list());
    expect(twin.journal.digest()).toBe(sim.journal.digest());
    await sim.close();
    await hanging;
  });

  test("the time to which the control API has let it pass", async () => {
    const { sim, killedNow } = followed();
    await using server = await serve(sim);
    const { status } = await fetch(`${server.controlUrl}/clock/advance`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}` },
      body: JSON.stringify({ duration: "3 days" }),
    });
    expect(status).toBe(200);
    expect((await killedNow()).clock.now()).toBe("2026-01-04T00:00:00.000Z");
  });
});

test("a world goes on from the last moment that anybody saw, and the time that its server was down does not count", async () => {
  const time = woundTime();
  const { sim, killedNow } = followed(createSimulator({ clock: { real: 60 }, webhookUrl: HOOKS }));
  await using server = await serve(sim);
  await time.pass(60_000);
  const answer = await fetch(`${server.controlUrl}/clock`, { headers: { authorization: `Bearer ${server.token}` } });
  const { now: seen } = (await answer.json()) as { readonly now: string };
  expect(seen).toBe("2026-01-01T01:00:00.000Z");
  await time.pass(60_000);
  expect((await killedNow()).clock.now()).toBe(seen);
});

test("a world whose server was stopped goes on from that moment", async () => {
  const time = woundTime();
  const path = newStateFile();
  const state = openState(path);
  state.follow("shop", {}, createSimulator({ clock: { real: 60 }, webhookUrl: HOOKS }));
  await time.pass(60_000);
  state.close();
  expect((await restored(path)).clock.now()).toBe("2026-01-01T01:00:00.000Z");
});

test("a world comes back at another base URL", async () => {
  const { sim, killedAt } = followed(createSimulator({ baseUrl: "http://127.0.0.1:4010", webhookUrl: HOOKS }));
  const merchant = await Merchant.of(sim);
  const { checkoutUrl } = await merchant.createCheckout();
  const state = openState(killedAt());
  const twin = createSimulator({ baseUrl: "http://127.0.0.1:4011", webhookUrl: HOOKS });
  await state.restore("shop", twin);
  expect(twin.journal.digest()).toBe(sim.journal.digest());
  const page = checkoutUrl.replace("4010", "4011");
  expect(await twin.customer.pay(page, "pm_card_approved")).toMatchObject({ status: "processing" });
  state.close();
});
