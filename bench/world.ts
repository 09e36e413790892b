import { createSimulator } from "centavo";
import type { Simulator, SimulatorOptions } from "centavo";
import { intentFlow, tokenOf } from "./flow.ts";

/** What a world is filled with: intents that are paid and done, intents whose decision is a day away, or paid ones whose webhooks were delivered. */
export type Filling = "finished" | "pending" | "delivered";

const options: Record<Filling, SimulatorOptions> = {
  finished: {},
  pending: { assumptions: { "intent.processing-time": "1 day" } },
  delivered: {},
};

/** A simulator with nothing in it yet, and what puts one more intent into it. */
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

/** A world with so many intents in it. */
export async function worldOf(filling: Filling, intents: number): Promise<Simulator> {
  const world = await emptyWorld(filling);
  for (let index = 0; index < intents; index += 1) await world.addIntent();
  return world.sim;
}
