import diagnostics from "node:diagnostics_channel";
import { mock } from "node:test";
import { withGlobal } from "@sinonjs/fake-timers";
import type { Client } from "centavo/client";
import { simulated, type TestParts } from "centavo/testing";
import { describe, expect, test, vi } from "vitest";

const nativeFetch = globalThis.fetch;
const realDate = Date;
let fake: { uninstall(): void } | undefined;

describe("simulated", () => {
  test("is a function without parameters, which runs the test with parts of its own", async () => {
    const ids: string[] = [];
    const first = simulated({ name: "first" }, async ({ client }) => void ids.push(await createdBy(client)));
    const second = simulated({ name: "second" }, async ({ client }) => void ids.push(await createdBy(client)));
    expect(first).toHaveLength(0);
    await first();
    await second();
    expect(ids[0]).not.toBe(ids[1]);
  });

  test("opens the network of a test that names it, and ends it also when the test fails", async () => {
    const failing = simulated({ recordings: false }, async ({ sim, network }) => {
      expect(network.kind).toBe("intercept");
      expect((await fetch(`${sim.baseUrl}/api/transactions`)).status).toBe(401);
      expect(new Date().toISOString()).toBe("2026-01-01T00:00:00.000Z");
      throw new Error("the test fails");
    });
    await expect(failing()).rejects.toThrow("the test fails");
    expect(globalThis.fetch).toBe(nativeFetch);
    expect(new Date().getFullYear()).toBe(new Date(performance.timeOrigin).getFullYear());
  });

  test("reaches the simulator over a loopback port, or only by the fetch it is given", async () => {
    await simulated({ network: "server" }, async ({ network }) => {
      expect(network.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await nativeFetch(`${network.baseUrl}/api/transactions`)).status).toBe(401);
    })();
    await simulated({ network: "fetch" }, async ({ sim, network }) => {
      expect(globalThis.fetch).toBe(nativeFetch);
      expect((await network.fetch(`${sim.baseUrl}/api/transactions`)).status).toBe(401);
    })();
  });

  test("finds behind the fetch it gives what interception finds at each address", async () => {
    const options = { network: "fetch", allow: ["data:"], recordings: false } as const;
    await expect(simulated(options, ({ network }) => network)()).rejects.toThrow(/"data:" in "allow" is not a URL/);
    const misspelt = simulated({ network: "fetch", recordings: false }, async ({ sim, network }) => {
      sim.connect("https://shop.example", () => new Response("the shop"));
      expect(await (await network.fetch("https://shop.example/")).text()).toBe("the shop");
      expect(await (await network.fetch("data:,outside")).text()).toBe("outside");
      expect((await network.fetch("/api/transactions")).status).toBe(401);
      await network.fetch("https://api.pay.exmaple/oauth", { method: "POST", body: "grant_type=x" });
    });
    await expect(misspelt()).rejects.toMatchObject({
      name: "TypeError",
      message: expect.stringContaining("which is nearly the base URL https://api.pay.example") as string,
      cause: { code: "UNEXPECTED_REQUEST" },
    });
  });

  test("fails a test whose code swallowed a refused request, unless that is switched off", async () => {
    const swallows = async ({ network }: { readonly network: { readonly kind: string } }) => {
      expect(network.kind).toBe("intercept");
      await fetch("https://api.pay.exmaple/api/transactions").catch(() => undefined);
    };
    await expect(simulated({ recordings: false }, swallows)()).rejects.toMatchObject({
      code: "SWALLOWED_ERRORS",
      message: expect.stringContaining("GET https://api.pay.exmaple/api/transactions was refused") as string,
    });
    await simulated({ failOnSwallowedErrors: false }, swallows)();
  });

  test("refuses to share Date with a test that runs at the same time, unless one does without it", async () => {
    const held = Promise.withResolvers<void>();
    const reads = async ({ sim }: TestParts) => void sim.clock.now();
    const first = simulated({ name: "first" }, async ({ sim }) => {
      sim.clock.now();
      await held.promise;
      expect(new Date().toISOString()).toBe("2026-01-01T00:00:00.000Z");
    })();
    await expect(simulated({ name: "second" }, reads)()).rejects.toMatchObject({
      code: "INTERCEPTION_CONFLICT",
      message: expect.stringMatching(
        /"second" began while Date still follows the clock of "first".*fakeDate: false/,
      ) as string,
    });
    await simulated({ name: "third", fakeDate: false }, reads)();
    held.resolve();
    await first;
    await simulated({ name: "fourth" }, reads)();
  });

  test.for([
    ["vi.setSystemTime()", () => vi.setSystemTime("2026-05-01"), () => vi.useRealTimers()],
    ["FakeTimers.install()", () => (fake = withGlobal(globalThis).install()), () => fake?.uninstall()],
    ["mock.timers.enable()", () => mock.timers.enable(), () => mock.timers.reset()],
  ] as const)("fails a test that takes Date with %s, whose end works in any hook", async ([call, replace, end]) => {
    const takesDate = simulated({ recordings: false }, async ({ sim }) => {
      expect(new Date().toISOString()).toBe(sim.clock.now());
      replace();
      await Promise.resolve();
      end();
    });
    await expect(takesDate()).rejects.toMatchObject({
      code: "INTERCEPTION_CONFLICT",
      message: expect.stringMatching(
        / replaced Date, .* await sim\.clock\.advanceTo\(.*causes\.md#fake-timers/s,
      ) as string,
    });
    await expect(takesDate()).rejects.toThrow(`${call} replaced Date`);
    end();
    expect(Date).toBe(realDate);
  });

  test("leaves no listener behind when its simulator cannot be opened", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const failing = simulated({ fakeDate: true, recordings: false }, ({ sim }) => sim.seed);
    await expect(failing()).rejects.toThrow("Date is already faked");
    vi.useRealTimers();
    expect(diagnostics.hasSubscribers("centavo:refused-webhook")).toBe(false);
  });

  test("says what it takes, and that the network has to be named", async () => {
    expect(() => simulated({} as never, undefined as never)).toThrow("takes the test as a function");
    const hidden = ["net", "work"].join("");
    await expect(simulated({ recordings: false }, async (parts) => parts[hidden as "sim"])()).rejects.toMatchObject({
      code: "INVALID_OPTION",
    });
  });
});

async function createdBy(client: Client): Promise<string> {
  const { id } = await client.paymentIntents.create({ amount: 10000 });
  return id;
}
