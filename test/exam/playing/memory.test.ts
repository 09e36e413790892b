import { exam } from "centavo/exam";
import type { Opening } from "centavo/exam";
import { expect, test } from "vitest";
import { openSmallShop } from "../small-shop.ts";
import type { Orders } from "../small-shop.ts";
import { collectGarbage } from "../../collect-garbage.ts";

/** Plays stories, and returns of how many the world is still in memory. */
async function worldsKept(open: (opening: Opening<Orders>) => ReturnType<typeof openSmallShop>): Promise<number> {
  const worlds: WeakRef<object>[] = [];
  await exam<Orders>({
    open: (opening) => {
      worlds.push(new WeakRef(opening.sim));
      return open(opening);
    },
    acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
    jobs: [{ every: "10 minutes", run: ({ visit }) => visit("POST", "/refresh") }],
    books: ({ store }) => ({ orders: [...store.values()] }),
    store: new Map(),
    webhookPath: "/hooks",
    budget: { stories: 60 },
  });
  // What the microtasks of the last story still hold is free after a turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  return worlds.filter((world) => world.deref() !== undefined).length;
}

test("an exam keeps no story in memory", async () => {
  expect(await worldsKept(openSmallShop)).toBeLessThan(3);
});

test("an exam keeps no story in memory when a client keeps each fetch that it was given, as axios does", async () => {
  const kept: unknown[] = [];
  const worlds = await worldsKept((opening) => {
    kept.push(opening.fetch);
    return openSmallShop(opening);
  });
  expect(kept.length).toBeGreaterThan(50);
  expect(worlds).toBeLessThan(3);
});
