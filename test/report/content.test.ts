import { createSimulator } from "centavo";
import { htmlReport } from "centavo/report";
import { describe, expect, test } from "vitest";
import { htmlReportOf } from "../../src/report/html-report.ts";
import { sumsOf } from "../../src/report/page/words.ts";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";
import { givenTo, runIn } from "./read-report.ts";

/** A shop whose handler fails for the first webhook. */
async function shopWithAFailure() {
  const sim = createSimulator({ webhookUrl: HOOKS, assumptions: { "checkout.lifetime": "1 hour" } });
  let count = 0;
  sim.connect(SHOP, () => {
    count += 1;
    return count === 1 ? new Response("no such order", { status: 500 }) : new Response("ok");
  });
  const merchant = await Merchant.of(sim);
  const { id } = await merchant.createIntent({ amount: 49_900, description: "A book" });
  await merchant.confirm(id);
  await sim.clock.settle();
  return { sim, merchant, id };
}

describe("the report of a run", () => {
  test("has every entry of the journal, with who did it and in which direction", async () => {
    const { sim } = await shopWithAFailure();
    const { rows } = runIn(await sim.report());
    expect(rows.map(({ sequence, at, kind }) => ({ sequence, at, kind }))).toEqual(
      sim.journal.entries.map(({ sequence, at, kind }) => ({ sequence, at, kind })),
    );
    const arrows = rows.map(({ kind, from, to }) => `${kind}: ${from} → ${to}`);
    expect(arrows).toContain("request: merchant → service");
    expect(arrows).toContain("answer: service → merchant");
    expect(arrows).toContain("delivery: service → receiver");
    expect(arrows).toContain("timer: service → service");
  });

  test("shows customers at the pages of the service and of the merchant", async () => {
    const { sim, merchant } = await shopWithAFailure();
    const { checkoutUrl } = await merchant.createCheckout();
    await sim.customer.pay(checkoutUrl, "pm_card_approved");
    await sim.clock.settle();
    const { rows, resources } = runIn(await sim.report());
    const arrows = new Set(rows.map(({ kind, from, to }) => `${kind}: ${from} → ${to}`));
    expect(arrows).toContain("customer: customer → service");
    expect(arrows).toContain("customer: customer → merchant");
    expect(arrows).toContain("answer: service → customer");
    expect(resources.map(({ machine }) => machine)).toContain("checkout");
  });

  test("has the headers and bodies of calls and their answers, which the journal has not", async () => {
    const { sim } = await shopWithAFailure();
    const { rows } = runIn(await sim.report());
    const created = rows.find(({ text }) => text.startsWith("POST /api/payment-intent {"));
    const [request, answer] = created?.parts ?? [];
    expect(created?.result).toBe("200");
    expect(request?.headers).toContainEqual(["authorization", "[redacted]"]);
    expect(JSON.parse(request?.body ?? "")).toMatchObject({ amount: 49_900, description: "A book" });
    expect(answer?.headers?.map(([name]) => name)).toContain("content-type");
    expect(answer?.body).toContain('"clientKey": "[redacted]"');
  });

  test("has each delivery as it was sent, signature included, and what the app said", async () => {
    const { sim } = await shopWithAFailure();
    await sim.clock.advance("10 seconds");
    const { rows } = runIn(await sim.report());
    const deliveries = rows.filter(({ kind }) => kind === "delivery");
    const [first, , retry] = deliveries;
    expect(first).toMatchObject({ tone: "bad", result: "500" });
    expect(retry).toMatchObject({ tone: "good", result: "200" });
    expect(first?.parts[1]?.body).toContain("no such order");
    const signatures = deliveries.map(({ parts }) => parts[0]?.headers?.find(([name]) => /signature/.test(name))?.[1]);
    expect(signatures.every((signature) => signature !== undefined && signature.length > 20)).toBe(true);
    expect(deliveries.map(({ parts }) => /"type": "([^"]+)"/.exec(parts[0]?.body ?? "")?.[1])).toEqual(
      sim.webhooks.attempts().map(({ eventId }) => sim.webhooks.events().find(({ id }) => id === eventId)?.type),
    );
  });

  test("has the path of each resource, its amount and what its status means for the money", async () => {
    const { sim, id } = await shopWithAFailure();
    const [intent] = runIn(await sim.report()).resources;
    expect(intent).toMatchObject({ machine: "payment_intent", id, status: "succeeded", tone: "good" });
    expect(intent).toMatchObject({
      isPayment: true,
      price: { amount: 49_900, currency: "PHP" },
      description: "A book",
    });
    expect(intent?.moves.map(({ input }) => input)).toEqual(["create", "attach_method", "confirm", "decide"]);
    const { rows } = runIn(await sim.report());
    const about = rows.filter((row) => row.about.includes(0)).map(({ kind }) => kind);
    expect(new Set(about)).toEqual(new Set(["request", "answer", "step", "timer", "fact", "webhook", "delivery"]));
  });

  test("adds up the payments that succeeded, are open, and failed or were canceled", async () => {
    const sim = createSimulator();
    const merchant = await Merchant.of(sim);
    await merchant.pay({ amount: 49_900 });
    await merchant.pay({ amount: 10_000 });
    await merchant.createIntent({ amount: 35_000 });
    sim.intents.cancel((await merchant.createIntent({ amount: 7900 })).id);
    await sim.clock.settle();
    expect(sumsOf(runIn(await sim.report())).map(({ title, texts }) => [title, texts])).toEqual([
      ["Succeeded", ["₱599.00"]],
      ["Open", ["₱350.00"]],
      ["Failed or canceled", ["₱79.00"]],
    ]);
  });

  test("shows a call as about what it moved, not about what moved after its answer", async () => {
    const sim = createSimulator();
    const merchant = await Merchant.of(sim);
    const other = await merchant.createIntent();
    const { id } = await merchant.createIntent();
    await merchant.confirm(id);
    sim.intents.cancel(other.id);
    const { rows, resources } = runIn(await sim.report());
    const last = rows.findLast(({ kind }) => kind === "request");
    expect(last?.about.map((place) => resources[place]?.id)).toEqual([id]);
  });

  test("has what is pending, the planned faults and the assumptions, those that the test changed among them", async () => {
    const { sim, merchant } = await shopWithAFailure();
    sim.faults.add({ id: "down", kind: "request.status", status: 503, times: 1 });
    sim.faults.add({ id: "late", kind: "request.status", status: 500, route: "subscription-plan.create" });
    await merchant.call("POST", "/api/payment-intent", { amount: 100 });
    await merchant.createCheckout();
    const { pending, faults, assumptions } = runIn(await sim.report());
    expect(pending.map(({ what }) => what)).toContainEqual(expect.stringContaining("it is sent to its receiver"));
    expect(pending.map(({ at }) => at)).toEqual(
      pending.map(({ at = "" }) => at).toSorted((one, other) => one.localeCompare(other)),
    );
    expect(faults).toMatchObject([
      { id: "down", hits: 1 },
      { id: "late", hits: 0 },
    ]);
    expect(assumptions.map(({ id }) => id)).toEqual(sim.assumptions.used().map(({ id }) => id));
    expect(assumptions.find(({ id }) => id === "checkout.lifetime")).toMatchObject({ isChanged: true });
  });

  test("has the coverage of the run: what it saw, the way through each machine, and all that there is", async () => {
    const { sim } = await shopWithAFailure();
    const { service, runs } = givenTo(await sim.report());
    const { parts, visited, forgotten } = runs[0]?.coverage ?? {};
    const coverage = await sim.coverage();
    for (const { part, all } of service) {
      expect(parts?.[part]).toEqual({
        seen: coverage[part].seen,
        neverTested: coverage.neverTested.filter((gap) => gap.part === part).map(({ name }) => name),
        percent: coverage[part].percent,
      });
      expect(all.map(({ name }) => name).toSorted()).toEqual(
        [...coverage[part].seen, ...coverage[part].missing].toSorted(),
      );
    }
    expect(service.flatMap(({ all }) => all)).toEqual(expect.arrayContaining([...coverage.neverTested]));
    expect(visited?.["payment_intent"]).toEqual(expect.arrayContaining(["start", "succeeded", "processing-succeeded"]));
    expect(visited?.["subscription"]).toEqual([]);
    expect(forgotten).toBe(0);
  });

  test("names what is worth a look, with the way out", async () => {
    const { sim } = await shopWithAFailure();
    const { causes, outcome } = runIn(await sim.report());
    expect(outcome).toBeUndefined();
    expect(causes[0]).toMatchObject({ name: "handler-failed" });
    expect(causes[0]?.sentence).toContain("no such order");
  });

  test("says what to look at where a failure has no cause", async () => {
    const { sim } = await Merchant.open();
    const failed = runIn(await htmlReportOf(sim, { outcome: "failed", error: new Error("the shelf is empty") }));
    expect([failed.causes, failed.nothingFound]).toEqual([
      [],
      {
        sentence: "every call succeeded",
        lookAt: "the error itself, which is not an assertion",
      },
    ]);
    expect(runIn(await htmlReportOf(sim, { outcome: "passed" })).nothingFound).toBeUndefined();
  });

  test("changes nothing of the run, and is the same each time", async () => {
    const { sim } = await shopWithAFailure();
    const before = [sim.journal.digest(), JSON.stringify(sim.snapshot())];
    expect(await sim.report()).toBe(await htmlReport(sim));
    expect([sim.journal.digest(), JSON.stringify(sim.snapshot())]).toEqual(before);
  });
});

describe("a run without known messages", () => {
  test("says so when nothing was recorded, and shows what the service read", async () => {
    const sim = createSimulator({ recording: false });
    await (await Merchant.of(sim)).createIntent({ amount: 49_900 });
    const { notes, rows } = runIn(await sim.report());
    expect(notes).toEqual([expect.stringContaining("recording is false")]);
    expect(rows.flatMap(({ parts }) => parts).map(({ title }) => title)).toContain("Request, as the service read it");
  });

  test("says how many entries a bounded journal has forgotten", async () => {
    const sim = createSimulator({ keep: 10 });
    const merchant = await Merchant.of(sim);
    for (let count = 0; count < 3000; count += 1) await merchant.intentStatus("pi_none").catch(() => undefined);
    expect(runIn(await sim.report()).notes.join()).toMatch(/\d+ earlier entries are forgotten/);
  });

  test("has the calls after a restore, not those before it", async () => {
    const { sim, merchant } = await shopWithAFailure();
    const snapshot = sim.snapshot();
    sim.restore(snapshot);
    await merchant.createIntent({ amount: 70_000 });
    const { rows } = runIn(await sim.report());
    const bodies = rows.filter(({ label }) => label === "POST /api/payment-intent").map(({ parts }) => parts[0]?.title);
    expect(bodies).toEqual(["Request, as the service read it", "Request"]);
  });
});

test("calls that a fault held have their own headers and bodies", async () => {
  const sim = createSimulator();
  const merchant = await Merchant.of(sim);
  sim.faults.add({ kind: "request.latency", delay: "5 seconds", route: "payment-intent.create", times: 1 });
  const held = merchant.createIntent({ amount: 11_100 });
  await merchant.createIntent({ amount: 22_200 });
  await sim.clock.advance("10 seconds");
  await held;
  const { rows } = runIn(await sim.report());
  const created = rows.filter(({ kind, label }) => kind === "request" && label === "POST /api/payment-intent");
  const amounts = created.map(({ parts }) => parts.map(({ body = "" }) => /"amount": (\d+)/.exec(body)?.[1]));
  expect(amounts).toEqual(
    expect.arrayContaining([
      ["11100", "11100"],
      ["22200", "22200"],
    ]),
  );
});
