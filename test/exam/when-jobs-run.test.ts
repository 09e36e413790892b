import type { Acts, Job, Opening } from "centavo/exam";
import { describe, expect, test } from "vitest";
import { judge } from "./laws/judge.ts";
import { openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

const MINUTE = 60_000;

const order = { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) } as const satisfies Acts;
const books = ({ store }: { readonly store: Orders }) => ({ orders: [...store.values()] });
const everyTenMinutes: Job = { every: "10 minutes", run: ({ visit }) => visit("/jobs/frequent") };
const everyNight: Job = { every: "1 day", run: ({ visit }) => visit("/jobs/nightly") };

test("a job keeps its schedule while a customer is on the way to the counter, and rests longer the longer nothing happens", async () => {
  const minutes: number[] = [];
  const broken = await judge(
    {
      open: (opening) => {
        const handler = openSmallShop(opening);
        const opened = opening.now().getTime();
        return (request: Request) => {
          if (request.url.endsWith("/jobs/refresh")) minutes.push((opening.now().getTime() - opened) / MINUTE);
          return handler(request);
        };
      },
      acts: order,
      books,
      jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
    },
    "order paid at the counter",
  );
  expect(broken).toEqual([]);
  expect(minutes.slice(0, 6)).toEqual([10, 20, 40, 60, 70, 80]);
});

test("jobs that are due at one moment run one after the other, and wait while the program is down", async () => {
  const ran: string[] = [];
  const job = (name: string): Job => ({ every: "5 minutes", run: ({ visit }) => visit(`/jobs/${name}`) });
  await judge(
    {
      open: (opening) => {
        const handler = openSmallShop(opening);
        return async (request: Request) => {
          const [, name] = /\/jobs\/(\w+)/.exec(request.url) ?? [];
          if (name === undefined) return handler(request);
          ran.push(`${name} begins`);
          await opening.sleep("10 seconds");
          ran.push(`${name} ends`);
          if (name === "second" && ran.length === 4) {
            setTimeout(() => {
              throw new Error("The program ends.");
            });
            await opening.sleep("10 seconds");
          }
          return new Response();
        };
      },
      acts: order,
      books,
      jobs: [job("first"), job("second")],
    },
    "order approved",
  );
  const turn = ["first begins", "first ends", "second begins", "second ends"];
  expect(ran.slice(0, 8)).toEqual([...turn, ...turn]);
});

describe("what a shop was told, and forgot, is seen before a nightly job repairs it", () => {
  type Habit = "forgets events" | "packs by night";

  const shop = (habit: Habit, ...jobs: Job[]) => ({
    open: (opening: Opening<Orders>) => {
      const handler = openSmallShop(opening);
      return async (request: Request) => {
        const { pathname, origin } = new URL(request.url);
        if (pathname === "/jobs/frequent") return new Response();
        if (pathname === "/jobs/nightly") {
          for (const each of opening.store.values()) if (each.status === "paid") each.fulfilments = 1;
          return handler(new Request(`${origin}/jobs/refresh`));
        }
        if (pathname === "/hooks" && habit === "forgets events") return new Response();
        const answer = await handler(request);
        if (pathname === "/hooks") for (const each of opening.store.values()) each.fulfilments = 0;
        return answer;
      };
    },
    acts: order,
    books,
    jobs,
  });

  test("where other jobs run all day, and do not look at it", async () => {
    expect(await judge(shop("forgets events", everyTenMinutes, everyNight), "order approved")).toEqual([
      "acts-on-what-it-was-told: The event payment_intent.succeeded, which was answered with 2xx, said that order-1 is paid, and it is still pending and not fulfilled.",
    ]);
  });

  test("but not where a shop works by night alone", async () => {
    expect(await judge(shop("forgets events", everyNight), "order approved")).toEqual([]);
  });

  test("and not where a shop knows of the payment, and packs by night", async () => {
    expect(await judge(shop("packs by night", everyTenMinutes, everyNight), "order approved")).toEqual([]);
  });
});
