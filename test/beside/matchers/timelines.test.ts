import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { timelineOf } from "centavo/testing";
import { matchers } from "centavo/jest";
import "centavo/vitest";
import { expect as jestExpect } from "expect";
import { expect, onTestFinished, test } from "vitest";
import { openShop, pay } from "../../matchers/paid-orders.ts";

jestExpect.extend(matchers);

test("toMatchTimeline compares with a snapshot of the runner", async () => {
  const shop = openShop();
  await pay(shop);
  expect(shop.sim).toMatchTimeline();
  expect(shop.sim).toMatchTimeline("under a hint");
});

test("toMatchInlineTimeline compares with a snapshot in the test file", () => {
  expect(openShop().sim).toMatchInlineTimeline(`""`);
});

test("a timeline has nothing that differs between equal runs", async () => {
  const timelines: string[] = [];
  for (const _run of ["first", "second"]) {
    const server = createServer((_request, response) => response.writeHead(500).end()).listen(0, "127.0.0.1");
    await new Promise((resolve) => void server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const shop = openShop({ webhookUrl: `http://127.0.0.1:${port}/hooks` });
    onTestFinished(() => shop.sim.close());
    await pay(shop);
    await new Promise((resolve) => void server.close(resolve));
    server.closeAllConnections();
    await shop.sim.clock.advance("1 hour");
    expect(String(shop.sim.journal)).toContain(`127.0.0.1:${port}`);
    timelines.push(timelineOf(shop.sim));
  }
  expect(timelines[0]).toMatch(
    /→ http:\/\/127\.0\.0\.1:\{port\}\/hooks, attempt 6: failed \(refused\), next try \S+ \S+Z$/m,
  );
  expect(timelines[1]).toBe(timelines[0]);
});

test("a timeline needs a simulator, and a runner with snapshots", () => {
  expect(() => expect("order-1").toMatchTimeline()).toThrow(
    expect.objectContaining({
      code: "INVALID_OPTION",
      message: expect.stringContaining("expect(sim).toMatchTimeline(") as string,
    }),
  );
  expect(() => timelineOf(undefined as never)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
  expect(() => jestExpect(openShop().sim).toMatchTimeline()).toThrow(
    expect.objectContaining({ code: "INVALID_STATE", message: expect.stringContaining("timelineOf(sim)") as string }),
  );
});
