import assert from "node:assert/strict";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { explain } from "centavo/testing";
import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { subjects } from "../../src/report/causes/causes.ts";
import { randomScript } from "../fuzz/random-world.ts";
import { World } from "../fuzz/world.ts";
import { failureOf, pay, reportIn, SHOP } from "./shop.ts";

const MOST_LINES = 30;
const WIDEST_LINE = 240;
const SEED = 20_260_101;

afterEach(() => {
  vi.restoreAllMocks();
});

describe("the report of a failed test", () => {
  test("names the cause first, then what happened, what is pending, and the seed", async () => {
    const error = await failureOf({ name: "a late book", seed: 7 }, async ({ sim, client }) => {
      sim.connect(SHOP, () => new Response(null, { status: 401 }));
      sim.faults.add({ kind: "response.lost", route: "subscription.cancel" });
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is not paid");
    });
    const report = reportIn(error).join("\n");
    expect(report).toMatch(
      new RegExp(
        [
          "^Likely cause: 2 webhooks were refused with 401: .*",
          "  Way out: .* \\(node_modules/centavo/docs/guide/causes\\.md#wrong-secret\\)\\.",
          "  Also: the fault fault_1 \\(response\\.lost\\) never fired: nothing matched it \\(#unused-fault\\)\\.",
          "Timeline \\(the last \\d+ of \\d+ entries\\):",
          "(  .*\n)+  .*payment_intent\\.succeeded evt_\\w+… → https://shop\\.example/hooks, attempt 1: answered 401, .*",
          "Pending:",
          "  due 2026-01-01 00:00:02Z  webhook payment_intent\\.processing evt_\\w+…",
          '(.*\n)+Seed: 7, with the name "a late book"$',
        ].join("\n"),
      ),
    );
  });

  test("says plainly that it found nothing when a shop did nothing wrong", async () => {
    const error = await failureOf({ name: "honest" }, async ({ sim, client }) => {
      const paid: unknown[] = [];
      sim.connect(SHOP, async (request) => {
        paid.push(await request.json());
        return new Response();
      });
      await pay(client);
      await sim.clock.settle();
      assert.equal(paid.length, 3);
    });
    expect(reportIn(error)[0]).toBe(
      "No likely cause found: every call succeeded, and your app answered every webhook with 2xx.",
    );
    expect(reportIn(error)).not.toContainEqual(expect.stringMatching(/Also:|Way out:/));
    expect(error.message).toMatch(/^Expected values to be strictly equal/);
  });

  test("cuts no line inside the address of the page that explains the cause", async () => {
    const host = Array.from({ length: 9 }, () => "of-a-long-name-of-a-shop").join(".");
    const error = await failureOf({ name: "long", webhookUrl: `https://${host}/hooks` }, async ({ sim, client }) => {
      await pay(client);
      await sim.clock.settle();
      assert.fail("the order is open");
    });
    const wayOut = reportIn(error)[1] ?? "";
    expect(wayOut).toMatch(/… \(node_modules\/centavo\/docs\/guide\/causes\.md#nobody-connected\)\.$/);
    expect(wayOut).toHaveLength(WIDEST_LINE);
  });

  test("lists sleeps among what is pending, soonest first", async () => {
    const sim = createSimulator();
    sim.clock.sleep("1 minute").catch(() => undefined);
    sim.faults.add({ kind: "request.latency", delay: "30 s" });
    const call = sim.fetch("/api/transactions").catch(() => undefined);
    sim.clock.sleep("1 second").catch(() => undefined);
    const report = await explain(sim);
    expect(report).toContain(
      [
        "Pending:",
        '  due 2026-01-01 00:00:01Z  clock.sleep("1 second") is over',
        "  due 2026-01-01 00:00:30Z  a held call goes on",
        '  due 2026-01-01 00:01:00Z  clock.sleep("1 minute") is over',
      ].join("\n"),
    );
    await sim.close();
    await call;
  });

  test("finds nothing in a test that has not begun", async () => {
    const sim = createSimulator();
    expect(await explain(sim, new Error("no"))).toMatch(
      /^No likely cause found: no call had reached the service when the test failed\.\n  Look at: .*\nThe timeline is empty: no request has reached the simulator\.\nPending: nothing\.\nSeed: 1$/,
    );
  });

  test("can be asked for by hand, with an error and without", async () => {
    const sim = createSimulator({ webhookUrl: `${SHOP}/hooks` });
    await pay(createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch }));
    expect(await explain(sim)).toMatch(
      /^Likely cause: 1 delivery is still waiting: call `await sim\.clock\.settle\(\)`\.\n/,
    );
    expect(await explain(sim, { code: "CLOCK_BUSY" })).toMatch(/^Likely cause: the clock was moved while/);
    await sim.close();
  });

  test("holds no secret, and nothing that a terminal would obey", async () => {
    const webhookSecret = "whsec_b3duLXNlY3JldC1vZi10aGUtdGVzdA==";
    const error = await failureOf({ name: "secrets", credentials: { webhookSecret } }, async ({ sim, client }) => {
      sim.connect(SHOP, () => {
        throw new Error(`\u001B[31mwrong: ${sim.credentials.webhookSecret} and ${sim.credentials.clientSecret}`);
      });
      await pay(client);
      await sim.clock.settle();
      throw new Error("not paid");
    });
    const report = reportIn(error).join("\n");
    expect(report).toContain(String.raw`\u001b[31mwrong: `);
    expect(report).not.toContain(webhookSecret);
    expect(report).not.toMatch(/csec_fake_\w/);
    expect(report).not.toContain("\u001B");
  });

  test.for([70, 90, 95, 99])("holds no part of a secret that would be cut after %i characters", async (before) => {
    const clientSecret = "nobody-would-guess-that-this-is-a-secret";
    const error = await failureOf({ name: "cut", credentials: { clientSecret } }, async ({ sim, client }) => {
      sim.connect(SHOP, () => {
        throw new Error(`${"x".repeat(before)} ${sim.credentials.clientSecret}`);
      });
      await pay(client);
      await sim.clock.settle();
      throw new Error("not paid");
    });
    expect(reportIn(error).join("\n")).not.toMatch(/nobody|secret…/);
  });

  test("has few lines of a stated width, however long and however many the entries are", async () => {
    const sim = createSimulator({ webhookUrl: `${SHOP}/hooks` });
    sim.connect(SHOP, () => new Response("x".repeat(5000), { status: 500 }));
    const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
    for (let count = 0; count < 300; count += 1) {
      await pay(client, { description: `line\nof ${"words ".repeat(160)}` });
      sim.faults.add({
        kind: "response.lost",
        route: "subscription.cancel",
        id: `never-${"fired".repeat(9)}-${count}`,
      });
    }
    await sim.clock.settle();
    const lines = (await explain(sim, new Error("y\n".repeat(9000)))).split("\n");
    expect(sim.journal.length).toBeGreaterThan(3000);
    expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(WIDEST_LINE);
    await sim.close();
  });

  test(`is short and hides secrets in 20 random worlds from the seed ${SEED}`, async () => {
    const property = fc.asyncProperty(randomScript, fc.anything(), async (script, thrown) => {
      const world = await new World(script, { checked: false }).begin();
      await world.live(script.commands);
      const { sim } = world;
      const digest = sim.journal.digest();
      const report = await explain(sim, thrown);
      const lines = report.split("\n");
      expect(report).not.toMatch(/^Centavo could not look/);
      expect(lines.length).toBeLessThanOrEqual(MOST_LINES);
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(WIDEST_LINE);
      for (const secret of [sim.credentials.webhookSecret, sim.credentials.clientSecret, sim.credentials.adminKey])
        expect(report).not.toContain(secret);
      expect(sim.journal.digest()).toBe(digest);
      await sim.close();
    });
    await fc.assert(property, { seed: SEED, numRuns: 20 });
  });

  test("leaves the test's error alone when the reporter itself fails", async () => {
    const broken = vi.spyOn(subjects, "flatMap").mockImplementation(() => {
      throw new Error("a cause is broken");
    });
    const error = await failureOf({ name: "broken" }, async ({ sim }) => {
      expect(sim.clock.now()).toBe("the test's own error");
    });
    expect(broken).toHaveBeenCalled();
    expect(error.message).toMatch(/^expected '2026-01-01T00:00:00\.000Z' to be 'the test\\?'s own error'/);
    expect(error.message).toContain("Centavo could not look for the cause: a cause is broken");
  });
});
