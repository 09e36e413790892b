import { createSimulator } from "centavo";
import { fixtures } from "centavo/fixtures";
import type { Causes } from "./cause.ts";

/** What goes wrong with fixtures. */
export const fixtureCauses: Causes = {
  INVALID_OPTION: {
    "fixtures: no simulator": () => fixtures(undefined as never),
    "fixtures: a locale instead of a Faker": (sim) => fixtures(sim, { faker: { person: {} } as never }),
    "fixtures: a status that does not exist": (sim) => fixtures(sim).intent({ status: "paid" as never }),
    "fixtures: an event that does not exist": (sim) => fixtures(sim).event("payment_intent.paid" as never),
    "fixtures: no object": (sim) => fixtures(sim).intent("paid" as never),
    "fixtures: a count that is none": (sim) => fixtures(sim).transactions({ months: 0 }),
    "fixtures: a share that is none": (sim) => fixtures(sim).transactions({ declined: 50 }),
    "fixtures: a decline of a success": (sim) =>
      fixtures(sim).intent({ status: "succeeded", decline: "lost_card" } as never),
    "fixtures: a decline that does not lead there": (sim) =>
      fixtures(sim).subscription({ status: "unpaid", decline: "processor_unavailable" } as never),
    "fixtures: an unknown decline": (sim) =>
      fixtures(sim).intent({ status: "failed", decline: "insuficient_funds" as never }),
    "fixtures: an order whose amount is not that of its items": (sim) =>
      fixtures(sim).order({ amount: 5, items: [{ name: "Tea", quantity: 1, unitAmount: 5000, amount: 5000 }] }),
    "fixtures: items that are no list": (sim) => fixtures(sim).order({ items: 5 as never }),
    "fixtures: an event with no object": (sim) => fixtures(sim).event("payment_intent.succeeded", 5 as never),
    "fixtures: an item with a wrong amount": (sim) =>
      fixtures(sim).order({ items: [{ name: "Tea", quantity: 2, unitAmount: 5000, amount: 5000 }] }),
    "fixtures: a kind of a world that is no list": (sim) => fixtures(sim).world({ intents: {} } as never),
    "fixtures: an event with a status": (sim) =>
      fixtures(sim).event("payment_intent.succeeded", { status: "failed" } as never),
    "fixtures: a status to which the assumptions leave no way": () =>
      fixtures(createSimulator({ assumptions: { "subscription.cancel": "keep" } })).invoice({ status: "void" }),
    "fixtures: a value that the service refuses": (sim) => fixtures(sim).intent({ amount: -5 }),
  },
  INVALID_STATE: {
    "fixtures: two statuses that exclude each other": (sim) => {
      // This shop has its intents canceled as soon as a session is paid.
      sim.connect("https://shop.example", async (request) => {
        const { type } = (await request.json()) as { readonly type: string };
        const intent = sim.intents.list().find(({ purpose }) => purpose === "payment_intent");
        if (type === "checkout.processing" && intent !== undefined) sim.intents.cancel(intent.id);
        return new Response();
      });
      const paid = { status: "completed" } as const;
      return fixtures(sim).world({ intents: [{}], checkouts: [paid, paid] });
    },
    "fixtures: a status that a fault keeps away": (sim) => {
      sim.faults.add({ kind: "processor.stuck" });
      return fixtures(sim).world({ intents: [{ status: "succeeded" }] });
    },
  },
};
