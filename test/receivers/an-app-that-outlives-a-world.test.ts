import { createSimulator, type Simulator } from "centavo";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";

type App = (request: Request) => Response;
const newApp = (): App => () => new Response();

function warningsOf({ journal }: Simulator): unknown[] {
  return journal.entries.filter(({ kind }) => kind === "warning").map(({ volatile }) => volatile?.["message"]);
}

/** Pays twice, and returns the id of the first event. */
async function payTwice(sim: Simulator, webhookUrl = HOOKS): Promise<string> {
  const merchant = await Merchant.of(sim);
  await merchant.pay({ webhookUrl });
  await sim.clock.settle();
  await merchant.pay({ webhookUrl });
  await sim.clock.settle();
  return sim.webhooks.events()[0]?.id ?? "";
}

async function payIn(seed: string, app: App): Promise<{ readonly sim: Simulator; readonly first: string }> {
  const sim = createSimulator({ seed });
  sim.connect(SHOP, app);
  return { sim, first: await payTwice(sim) };
}

const warningAbout = (event: string, origin = SHOP): unknown =>
  expect.stringContaining(`the app at ${origin} already got the event ${event} from an earlier world`);

test("a world that sends an app what an earlier world has sent it warns once, and names the way out", async () => {
  const app = newApp();
  const { sim: earlier, first } = await payIn("same", app);
  expect(warningsOf(earlier)).toEqual([]);
  const { sim } = await payIn("same", app);
  expect(warningsOf(sim)).toEqual([warningAbout(first)]);
  expect(warningsOf(sim)[0]).toContain("as withSimulator and simulated do, or another seed; or connect a new app");
  expect(String(sim.journal)).toContain(`already got the event ${first}`);
  expect(sim.journal.digest()).toBe(earlier.journal.digest());
});

test("another seed, a new app, a retry and a redelivery are no repeat", async () => {
  const app = newApp();
  await payIn("one", app);
  const { sim, first } = await payIn("two", app);
  sim.webhooks.redeliver(first);
  await sim.clock.settle();
  expect(warningsOf(sim)).toEqual([]);
  expect(warningsOf((await payIn("one", newApp())).sim)).toEqual([]);

  let failures = 2;
  const failing = createSimulator({ seed: "three" });
  failing.connect(SHOP, () => new Response(null, { status: (failures -= 1) >= 0 ? 500 : 200 }));
  await payTwice(failing);
  await failing.clock.advance("1 day");
  expect(warningsOf(failing)).toEqual([]);
});

test("reset() repeats ids by design, and the world after it warns all the same, with the same digest", async () => {
  const sim = createSimulator({ seed: "reset" });
  sim.connect(SHOP, newApp());
  const first = await payTwice(sim);
  const digest = sim.journal.digest();
  for (let time = 0; time < 2; time += 1) {
    sim.reset();
    expect(warningsOf(sim)).toEqual([]);
    await payTwice(sim);
    expect(warningsOf(sim)).toEqual([warningAbout(first)]);
    expect(sim.journal.digest()).toBe(digest);
  }
});

test("a server that nobody connected is known by its origin", async () => {
  const server = createServer((_request, response) => void response.writeHead(204).end());
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const webhookUrl = `${origin}/hooks`;
  const first = await payTwice(createSimulator({ seed: "server" }), webhookUrl);
  const sim = createSimulator({ seed: "server" });
  await payTwice(sim, webhookUrl);
  expect(warningsOf(sim)).toEqual([warningAbout(first, origin)]);
  server.close();
});

test("what is remembered is bounded, and the first events of a world are kept", async () => {
  const app = newApp();
  const { first } = await payIn("long", app);
  for (let count = 0; count < 30; count += 1) {
    const sim = createSimulator({ seed: `between ${count}`, recording: false });
    sim.connect(SHOP, app);
    await payTwice(sim);
  }
  expect(warningsOf((await payIn("long", app)).sim)).toEqual([warningAbout(first)]);
});
