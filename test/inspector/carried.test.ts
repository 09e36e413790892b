import { createSimulator } from "centavo";
import type { SimulatorOptions } from "centavo";
import { serve } from "centavo/server";
import { expect, onTestFinished, test } from "vitest";
import type { Part } from "../../src/report/reported-run.ts";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";
import { errorOf } from "../server/served.ts";

async function shop(options: SimulatorOptions = {}) {
  const sim = createSimulator({ webhookUrl: HOOKS, ...options });
  sim.connect(SHOP, () => new Response("thank you"));
  const server = await serve(sim);
  onTestFinished(() => server.close());
  const ask = (sequence: number | string): Promise<Response> =>
    fetch(`${server.controlUrl}/journal/${sequence}/carried`, { headers: { authorization: `Bearer ${server.token}` } });
  const partsOf = async (sequence: number): Promise<readonly Part[]> =>
    ((await (await ask(sequence)).json()) as { readonly parts: readonly Part[] }).parts;
  /** The sequence number of the last entry of a kind. */
  const last = (kind: string): number => sim.journal.entries.findLast((entry) => entry.kind === kind)?.sequence ?? 0;
  return { sim, ask, partsOf, last, merchant: await Merchant.of(sim) };
}

test("a call, its answer and a delivery have their headers and bodies, without secrets", async () => {
  const { sim, partsOf, last, merchant } = await shop();
  const { id } = await merchant.createIntent({ description: "a lamp" });
  const [request, answer] = await partsOf(last("request"));
  expect(request).toMatchObject({
    title: "Request",
    target: "/api/payment-intent",
    headers: expect.arrayContaining([["authorization", "[redacted]"]]) as unknown,
    body: expect.stringContaining('"description": "a lamp"') as unknown,
  });
  expect(answer).toMatchObject({ title: "Answer", body: expect.stringContaining(id) as unknown });
  expect(await partsOf(last("answer"))).toEqual([answer]);
  await merchant.confirm(id, "pm_card_approved");
  await sim.clock.settle();
  const [sent, taken] = await partsOf(last("delivery"));
  expect(sent?.headers?.map(([name]) => name)).toContain("content-type");
  expect(sent?.body).toContain(id);
  expect(taken).toMatchObject({ title: "Answer", body: expect.stringContaining("thank you") as unknown });
  expect(JSON.stringify([request, answer, sent, taken])).not.toContain(sim.credentials.clientSecret);
});

test("the query of a call is in its target", async () => {
  const { partsOf, last, merchant } = await shop();
  await merchant.call("GET", "/api/subscription/plans?page=2&limit=5");
  expect((await partsOf(last("request")))[0]?.target).toBe("/api/subscription/plans?page=2&limit=5");
});

test("what happens after the run was played again is heard, too, and another world carries its own", async () => {
  const { sim, partsOf, last, merchant } = await shop();
  await merchant.createIntent({ description: "one" });
  expect((await partsOf(last("request")))[0]?.body).toContain("one");
  await merchant.createIntent({ description: "two" });
  expect((await partsOf(last("request")))[0]?.body).toContain("two");
  sim.reset();
  await merchant.logIn();
  await merchant.createIntent({ description: "three" });
  expect((await partsOf(last("request")))[0]?.body).toContain("three");
});

test("an entry that carries nothing has no parts, and one that is not there is not found", async () => {
  const { sim, ask, partsOf, last, merchant } = await shop();
  await merchant.createIntent();
  expect(await partsOf(last("step"))).toEqual([]);
  for (const wrong of [0, -1, sim.journal.length + 1, 1.5, "one", "1e999", encodeURIComponent("<b>")])
    expect(await errorOf(await ask(wrong)), String(wrong)).toMatchObject({ status: 404, code: "NO_RESULT" });
});
