import { createSimulator, replay } from "centavo";
import { expect, test } from "vitest";
import { turns, woundTime } from "../clock-drivers/wound-time.ts";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";
import { expectReplayable } from "./replayable.ts";

test("a run under the real clock is replayed to the same digest without real time", async () => {
  const time = woundTime();
  const sim = createSimulator({ clock: { real: 60 }, webhookUrl: HOOKS });
  const merchant = await Merchant.of(sim);
  const slow = Promise.withResolvers<Response>();
  let count = 0;
  sim.connect(SHOP, async (request) => {
    const { data } = (await request.json()) as { readonly data: { readonly id: string } };
    count += 1;
    await merchant.intentStatus(data.id);
    if (count === 4) return slow.promise;
    return new Response(null, { status: count === 2 ? 503 : 200 });
  });

  await time.pass(7);
  const id = await merchant.pay({});
  await time.pass(90);
  sim.faults.add({ kind: "request.status", status: 503, times: 1 });
  await merchant.call("GET", `/api/payment-intent/${id}/status`);
  const midway = await replay(sim.recording());
  expect(midway.journal.digest()).toBe(sim.journal.digest());
  await sim.clock.advance("3 minutes");
  const other = await merchant.createIntent();
  time.jump(3000);
  sim.intents.cancel(other.id);
  await merchant.pay({});
  await time.pass(400);
  slow.resolve(new Response());
  await turns();
  await time.pass(60_000);

  expect(sim.webhooks.events().map(({ status }) => status)).toEqual(Array(5).fill("delivered"));
  await expectReplayable(sim);
  const restored = sim.snapshot();
  await time.pass(1234);
  sim.restore(restored);
  await merchant.logIn();
  await time.pass(1234);
  await merchant.pay({});
  await time.pass(1000);
  time.timers.clear();
  await expectReplayable(sim);
});
