import { createSimulator } from "centavo";
import type { Simulator, SimulatorOptions } from "centavo";
import { intentFlow, tokenOf } from "./flow.ts";

/** The intents of a world: paid, still processing for a day, or paid with delivered webhooks. */
export type Filling = "finished" | "pending" | "delivered";

const options: Record<Filling, SimulatorOptions> = {
  finished: {},
  pending: { assumptions: { "intent.processing-time": "1 day" } },
  delivered: {},
};

/** An empty simulator, and a function that adds an intent. */
export interface World {
  readonly sim: Simulator;
  addIntent(): Promise<unknown>;
}

export async function emptyWorld(filling: Filling): Promise<World> {
  const sim = createSimulator(options[filling]);
  if (filling === "delivered")
    sim.connect("https://shop.example", async (request: Request) => {
      await request.json();
      return new Response(null, { status: 204 });
    });
  const webhookUrl = filling === "delivered" ? { webhookUrl: "https://shop.example/hooks" } : {};
  const flow = intentFlow(sim.fetch, sim.baseUrl, await tokenOf(sim), webhookUrl);
  if (filling === "pending") return { sim, addIntent: () => flow.run() };
  return {
    sim,
    async addIntent() {
      await flow.run();
      await sim.clock.settle();
    },
  };
}

/** Creates a world with this many intents. */
export async function worldOf(filling: Filling, intents: number): Promise<Simulator> {
  const world = await emptyWorld(filling);
  for (let index = 0; index < intents; index += 1) await world.addIntent();
  return world.sim;
}
