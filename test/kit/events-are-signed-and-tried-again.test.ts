import { verifySignature } from "../../src/kit/webhooks/signatures/verify.ts";
import { expect, test } from "vitest";
import { simulate, charge, type ChargeSimulator } from "./world.ts";

const events = ({ sim }: { sim: ChargeSimulator }) => sim.webhooks.events();

test("an event has the layout of the service, and a signature like Stripe's", async () => {
  const sim = simulate();
  const arrived: { body: string; headers: Headers }[] = [];
  sim.connect("https://gym.example", async (request) => {
    arrived.push({ body: await request.text(), headers: request.headers });
    return new Response();
  });
  const { id } = await charge(sim);
  await sim.clock.advance("2 seconds");
  const [event] = events({ sim });
  const [{ body, headers } = { body: "", headers: new Headers() }] = arrived;
  expect(JSON.parse(body)).toEqual({
    id: event?.id,
    object: "event",
    type: "charge.succeeded",
    created: 1_767_225_602,
    data: {
      object: {
        id,
        object: "charge",
        status: "succeeded",
        amount: 1250,
        source: "tok_visa",
        account: "acct_1",
        due: 1_767_225_602_000,
      },
    },
  });
  const verified = await verifySignature({ body, headers }, "whsec_acct_1", { scheme: "stripe" });
  expect(verified).toMatchObject({ id: event?.id });
});

test("an event is tried again on the virtual clock as the service says, and given up after that", async () => {
  const sim = simulate();
  sim.connect("https://gym.example", () => new Response(null, { status: 500 }));
  await charge(sim);
  await sim.clock.advance("1 day");
  const hours = sim.webhooks.attempts().map(({ at }) => at.slice(11, 19));
  expect(hours).toEqual(["00:00:02", "01:00:02", "03:00:02", "06:00:02"]);
  expect(events({ sim })).toMatchObject([{ status: "exhausted", attempts: 4 }]);
});
