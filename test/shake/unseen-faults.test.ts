import { expect, test } from "vitest";
import { shakenIn } from "./in-process.ts";

test("a test that plans faults of its own does not see those of a shake", async () => {
  const { judged, plain } = await shakenIn(
    {
      "plans its own": async ({ sim, network, visit }) => {
        sim.connect("https://shop.example", async () => {
          const body = new URLSearchParams({ grant_type: "client_credentials" });
          const answer = await network
            .fetch(`${network.authUrl}/oauth`, { method: "POST", body })
            .catch(() => undefined);
          return new Response(null, { status: answer === undefined ? 502 : 200 });
        });
        const added = sim.faults.add({ kind: "request.status", status: 503, route: "checkout.create" });
        const named = sim.faults.add({ kind: "response.lost", id: "mine" });
        expect([added.id, named.id, sim.faults.add({ kind: "webhook.drop" }).id]).toEqual([
          "fault_1",
          "mine",
          "fault_3",
        ]);
        expect(sim.faults.list().map(({ fault }) => fault)).toEqual([
          { kind: "request.status", status: 503, route: "checkout.create" },
          { kind: "response.lost", id: "mine" },
          { kind: "webhook.drop" },
        ]);
        expect(
          sim
            .fork()
            .faults.list()
            .map(({ id }) => id),
        ).toEqual(["fault_1", "mine", "fault_3"]);
        expect(() => sim.faults.remove("nope")).toThrow("there is no such fault; planned are fault_1, mine, fault_3.");
        expect(() => sim.faults.remove("shake_1")).toThrow("there is no such fault");
        sim.faults.clear();
        expect(sim.faults.list()).toEqual([]);
        await visit("POST", "/");
        expect(sim.faults.unused()).toEqual([]);
      },
    },
    { isWanted: ({ trouble }) => trouble.name === "request.status 503" },
  );
  expect(plain.map(({ outcome }) => outcome)).toEqual([{ is: "passed" }]);
  // It struck, although the test cleared its faults.
  expect(judged.map(({ judgement }) => judgement)).toEqual([{ is: "borne" }]);
});
