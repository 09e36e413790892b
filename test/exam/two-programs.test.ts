import { exam } from "centavo/exam";
import type { ExamOptions, Opening } from "centavo/exam";
import { expect, test } from "vitest";
import { tokenOf } from "../../src/exam/token.ts";
import { placed } from "./placed.ts";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

const MINUTE = 60_000;

/** Plays a story with troubles at points: `["story 1", "two programs"]`. */
const play = (
  open: (opening: Opening<Orders>) => (request: Request) => Promise<Response>,
  troubles: readonly (readonly [point: string, name: string])[],
  more: Partial<ExamOptions<Orders>> = {},
) =>
  exam({
    ...examOfSmallShop(),
    open,
    ...more,
    replay: tokenOf({
      flow: { name: "order with a challenge", steps: [] },
      troubles: troubles.map(([point, name]) => placed(point, name)),
    }),
  });

/** A shop whose programs note what each of them gets, as `1 POST /orders`. */
function noting(notes: string[]) {
  let programs = 0;
  return (opening: Opening<Orders>) => {
    const handler = openSmallShop(opening);
    const number = (programs += 1);
    return async (request: Request): Promise<Response> => {
      notes.push(`${number} ${request.method} ${new URL(request.url).pathname}`);
      return handler(request);
    };
  };
}

test("two programs take the requests in turn, and see at once what the other has stored", async () => {
  const notes: string[] = [];
  const verdict = await play(noting(notes), [["story  1", "two programs"]]);
  expect(verdict.outcome, String(verdict)).toBe("passed");
  expect(notes.slice(0, 4)).toEqual(["1 POST /orders", "2 POST /hooks", "1 GET /return", "2 POST /hooks"]);
});

test("a job runs in both programs at the same moment", async () => {
  const notes: string[] = [];
  await play(noting(notes), [["story  1", "two programs"]]);
  const runs = notes.filter((note) => note.endsWith("/jobs/refresh"));
  expect(runs.slice(0, 2).toSorted()).toEqual(["1 GET /jobs/refresh", "2 GET /jobs/refresh"]);
  expect(runs.filter((note) => note.startsWith("1")).length).toBe(runs.filter((note) => note.startsWith("2")).length);
});

test.for([
  ["two programs", 0],
  ["two programs with a clock ahead", 2 * MINUTE],
  ["two programs with a clock behind", -2 * MINUTE],
] as const)("in the trouble %s, now() and Date of the second program differ by %i ms", async ([name, skew]) => {
  const clocks: number[][] = [];
  const books: number[] = [];
  const verdict = await play(
    (opening) => {
      clocks.push([opening.now().getTime(), Date.now(), new Date().getTime()]);
      return openSmallShop(opening);
    },
    [["story  1", name]],
    {
      books: ({ store }) => {
        books.push(Date.now());
        return { orders: [...store.values()] };
      },
    },
  );
  const [first = [], second = []] = clocks;
  expect(second).toEqual(first.map((at) => at + skew));
  expect(books[0]).toBe(first[0]);
  expect(verdict.outcome, String(verdict)).toBe("passed");
});

test("when one of two programs crashes, the other goes on, and what the dead one does has no effect", async () => {
  const notes: string[] = [];
  const open = noting(notes);
  let goOn = (): void => undefined;
  const later = new Promise<void>((resolve) => (goOn = resolve));
  let dead = 0;
  const verdict = await play(
    (opening) => {
      const handler = open(opening);
      return async (request) => {
        const answer = await handler(request);
        if (notes.length === 2) void later.then(() => opening.store.clear()).catch(() => (dead += 1));
        if (notes.length === 6) goOn();
        return answer;
      };
    },
    [
      ["story  1", "two programs"],
      ["event payment_intent.requires_action 1", "crash after"],
    ],
  );
  expect(verdict.outcome, String(verdict)).toBe("passed");
  expect(notes.slice(0, 4)).toEqual(["1 POST /orders", "2 POST /hooks", "1 GET /return", "1 POST /hooks"]);
  // The program that starts again is the third.
  expect(notes.some((note) => note.startsWith("3"))).toBe(true);
  expect(dead).toBe(1);
});

test.for(["before", "after"])(
  "a crash %s a write of one of two programs leaves no half of what changes together",
  async (when) => {
    for (let write = 1; write <= 6; write += 1) {
      const verdict = await play(openSmallShop, [
        ["story  1", "two programs"],
        [`write  ${write}`, `crash ${when}`],
      ]);
      expect(verdict.failures, String(verdict)).toEqual([]);
    }
  },
);

test("each job starts again beside itself while it still runs", async () => {
  const running: number[] = [];
  let now = 0;
  await play(
    (opening) => {
      const handler = openSmallShop(opening);
      return async (request) => {
        if (!request.url.endsWith("/jobs/refresh")) return handler(request);
        running.push((now += 1));
        await opening.sleep("1 second");
        now -= 1;
        return handler(request);
      };
    },
    [["story  1", "job meets itself"]],
  );
  expect(running.slice(0, 2)).toEqual([1, 2]);
});

test("a deployment starts a program beside the old one, which gets no more requests and ends after 30 seconds", async () => {
  const notes: string[] = [];
  const open = noting(notes);
  const ticks = new Map<number, number[]>();
  let programs = 0;
  const verdict = await play(
    (opening) => {
      const number = (programs += 1);
      ticks.set(number, []);
      setInterval(() => ticks.get(number)?.push(opening.now().getTime()), 8000);
      return open(opening);
    },
    [["call payment-intent.confirm 1", "deployment"]],
  );
  expect(verdict.outcome, String(verdict)).toBe("passed");
  expect(notes[0]).toBe("1 POST /orders");
  expect(notes.slice(1).every((note) => note.startsWith("2"))).toBe(true);
  expect(programs).toBe(2);
  expect(ticks.get(1)).toHaveLength(3);
  expect(ticks.get(2)?.length).toBeGreaterThan(3);
});

test("a story of two programs plays again to the same digest", async () => {
  const replay = () =>
    exam({
      ...examOfSmallShop(),
      replay: tokenOf({
        flow: { name: "order with a challenge", steps: [] },
        troubles: [placed("story  1", "two programs with a clock ahead")],
        schedule: 7,
      }),
    });
  const [one, again] = [await replay(), await replay()];
  expect(again.digest).toBe(one.digest);
  expect(one.outcome, String(one)).toBe("passed");
});

test("on a store whose connection two programs would share, they are not tried, and a token of them proves nothing", async () => {
  const adapter = { open: () => new Map() as Orders, isWrite: () => false };
  const merchant = { ...examOfSmallShop(), store: adapter };
  const verdict = await exam({ ...merchant, budget: { stories: 40 } });
  const tried = Object.entries(verdict.coverage.notTried).flatMap(([, names]) => names);
  expect([...tried, ...Object.keys(verdict.coverage.troubles["story"] ?? {})]).not.toContain("two programs");
  expect(tried).not.toContain("deployment");
  const replayed = await play(openSmallShop, [["story  1", "two programs"]], { store: adapter });
  expect(replayed.outcome).toBe("unfinished");
  expect(String(replayed)).toContain("The trouble two programs did not happen");
});

test("a merchant without jobs has none that meets itself", async () => {
  const { jobs: _, ...merchant } = examOfSmallShop();
  const verdict = await exam({ ...merchant, budget: { stories: 40 } });
  expect(JSON.stringify(verdict.coverage)).not.toContain("job meets itself");
});
