import { expect, test } from "vitest";
import type { DurationLike } from "centavo";
import type { ExamOptions } from "centavo/exam";
import { openSmallShop } from "../small-shop.ts";
import type { Orders } from "../small-shop.ts";
import { judge } from "./judge.ts";

/** A shop whose handler only keeps events. Its jobs run in an order in which what it does for an event takes two turns. */
const keepsEvents = (every: DurationLike): ExamOptions<Orders> => {
  const kept = new WeakMap<Orders, { inbox: Request[]; sorted: Request[] }>();
  return {
    open: (opening) => {
      const handler = openSmallShop(opening, "checks no stamp");
      const queues = kept.get(opening.store) ?? { inbox: [], sorted: [] };
      kept.set(opening.store, queues);
      return async (request: Request) => {
        const { pathname } = new URL(request.url);
        if (pathname === "/hooks") queues.inbox.push(request.clone());
        else if (pathname === "/jobs/sort") queues.sorted.push(...queues.inbox.splice(0));
        else if (pathname === "/jobs/work") for (const event of queues.sorted.splice(0)) await handler(event);
        else return handler(request);
        return new Response();
      };
    },
    acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
    books: ({ store }) => ({ orders: [...store.values()] }),
    jobs: ["/jobs/work", "/jobs/sort"].map((path) => ({ every, run: ({ visit }) => visit(path) })),
  };
};

test.for(["10 minutes", "1 hour", "870 minutes", "1 day", "27 hours", "36 hours", "2 days", "3 days", "7 days"])(
  "a shop that needs two turns of its jobs for an event is right, though they run only every %s",
  async (every) => {
    expect(await judge(keepsEvents(every), "order approved")).toEqual([]);
    const late = ["act order 1", "comes after two hours"] as const;
    expect(await judge(keepsEvents(every), "order paid at the counter", late)).toEqual([]);
  },
);
