import { simulated } from "centavo/testing";
import { describe, expect, test } from "vitest";

const telemetry = "https://telemetry.example";

describe.each(["intercept", "fetch"] as const)('with network: "%s"', (kind) => {
  const playing = (options: object, url: string) =>
    simulated({ name: `swallows, ${kind}`, network: kind, recordings: false, ...options }, async ({ network }) => {
      await network.fetch(url, { method: "POST", body: "{}" }).catch(() => undefined);
    });

  test("a swallowed call to a host that is dropped fails no test", async () => {
    await playing({ drop: [telemetry] }, `${telemetry}/v1`)();
  });

  test("a swallowed call to any other host still does", async () => {
    await expect(playing({ drop: [telemetry] }, "https://elsewhere.example")()).rejects.toMatchObject({
      code: "SWALLOWED_ERRORS",
    });
  });

  test("the timeline says what was dropped", async () => {
    await simulated({ name: `says so, ${kind}`, network: kind, drop: [telemetry] }, async ({ sim, network }) => {
      expect((await network.fetch(`${telemetry}/v1?key=secret`, { method: "POST", body: "{}" })).status).toBe(204);
      expect(sim.journal.toString()).toContain(`POST ${telemetry}/v1?… is dropped, and answered 204`);
    })();
  });

  test("the simulator's own address cannot be dropped", async () => {
    await expect(
      playing({ drop: ["https://api.pay.example"], baseUrl: "https://api.pay.example" }, "/")(),
    ).rejects.toThrow('in "drop" covers https://api.pay.example, where the simulator answers');
  });
});
