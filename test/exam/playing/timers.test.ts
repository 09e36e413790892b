import { setTimeout as sleep, scheduler } from "node:timers/promises";
import { setTimeout as startTimer } from "node:timers";
import { promisify } from "node:util";
import { afterEach, expect, test, vi } from "vitest";
import { exam } from "centavo/exam";
import type { Opening } from "centavo/exam";
import { openSmallShop } from "../small-shop.ts";
import type { Orders } from "../small-shop.ts";

afterEach(() => void vi.useRealTimers());

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** A shop that waits in some way before it answers. */
function examineWaitingShop(
  wait: () => Promise<unknown>,
  { stories = 3, onDone = (_milliseconds: number) => {} } = {},
) {
  return exam<Orders>({
    open: (opening) => {
      // Stamps follow the Date that one test fakes, and the shop's time does not.
      const handle = openSmallShop(opening, "checks no stamp");
      return async (request: Request) => {
        const from = opening.now().getTime();
        await wait();
        onDone(opening.now().getTime() - from);
        return handle(request);
      };
    },
    acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
    books: ({ store }) => ({ orders: [...store.values()] }),
    jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
    budget: { stories },
  });
}

test.for<[string, () => Promise<unknown>]>([
  ["setTimeout", () => new Promise((resolve) => setTimeout(resolve, 10 * SECOND))],
  ["setTimeout of node:timers", () => new Promise((resolve) => startTimer(resolve, 10 * SECOND))],
  ["setTimeout of node:timers/promises", () => sleep(10 * SECOND)],
  ["scheduler.wait", () => scheduler.wait(10 * SECOND)],
  ["promisify(setTimeout)", () => promisify(setTimeout)(10 * SECOND)],
  [
    "AbortSignal.timeout",
    () => new Promise((resolve) => AbortSignal.timeout(10 * SECOND).addEventListener("abort", resolve)),
  ],
])("lets a merchant wait for 10 seconds with %s, in no time", { timeout: MINUTE }, async ([, wait]) => {
  const waited: number[] = [];
  const verdict = await examineWaitingShop(wait, { onDone: (milliseconds) => waited.push(milliseconds) });
  expect(verdict.failures, String(verdict)).toEqual([]);
  // In all, longer than the test may take.
  expect(waited.length * 10 * SECOND).toBeGreaterThan(MINUTE);
  expect(new Set(waited)).toEqual(new Set([10 * SECOND]));
});

test("gives the same verdict again with a merchant that waits with timers", async () => {
  const examine = () => examineWaitingShop(() => sleep(3 * SECOND), { stories: 40 });
  const [first, again] = [await examine(), await examine()];
  expect(again.digest).toBe(first.digest);
});

test("clears a timer by itself and by its number, refreshes it, and never calls what was cleared", async () => {
  const called: string[] = [];
  await examineWaitingShop(async () => {
    const byItself = setTimeout(() => called.push("itself"), SECOND);
    clearTimeout(byItself);
    const byNumber = Number(setTimeout(() => called.push("number"), SECOND));
    expect(byNumber).toBeLessThan(0);
    clearTimeout(byNumber);
    const refreshed = setTimeout(() => called.push("refreshed"), 2 * SECOND);
    await sleep(SECOND);
    refreshed.refresh();
    await sleep(1.5 * SECOND);
    expect(called).not.toContain("refreshed");
    await sleep(SECOND);
    expect(called.splice(0)).toEqual(["refreshed"]);
  });
  expect(called).toEqual([]);
});

test("aborts a wait with its signal", async () => {
  const errors: unknown[] = [];
  await examineWaitingShop(() =>
    sleep(60 * SECOND, undefined, { signal: AbortSignal.timeout(SECOND) }).catch((error: unknown) =>
      errors.push(error),
    ),
  );
  expect(errors[0]).toMatchObject({ name: "AbortError", code: "ABORT_ERR" });
});

test("lets an interval of one second run over days without running away", async () => {
  let ticks = 0;
  const verdict = await exam<Orders>({
    open: (opening) => {
      setInterval(() => (ticks += 1), SECOND);
      return openSmallShop(opening);
    },
    acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
    books: ({ store }) => ({ orders: [...store.values()] }),
    budget: { stories: 2 },
  });
  expect(verdict.stories).toBe(2);
  expect(ticks).toBeGreaterThan(50);
  expect(ticks).toBeLessThan(5000);
});

test("leaves the timers of everybody else alone, and puts them back", async () => {
  const before = { setTimeout, setInterval, clearTimeout, structuredClone };
  let fired = false;
  const examined = examineWaitingShop(() => sleep(SECOND), { stories: 30 });
  const real = new Promise<void>((resolve) => {
    setTimeout(() => {
      fired = true;
      resolve();
    }, 1);
  });
  await examined;
  await real;
  expect(fired).toBe(true);
  expect({ setTimeout, setInterval, clearTimeout, structuredClone }).toEqual(before);
});

test("puts the timers back when the merchant's program cannot start", async () => {
  const before = globalThis.setTimeout;
  const broken = { open: () => Promise.reject(new Error("no database")), acts: { order: () => new Response() } };
  await expect(exam({ ...broken, books: () => ({}) })).rejects.toThrow("no database");
  expect(globalThis.setTimeout).toBe(before);
  expect(vi.isFakeTimers()).toBe(false);
  expect(Math.abs(Date.now() - performance.timeOrigin - performance.now())).toBeLessThan(60_000);
});

test("plays one exam after the other when two begin at once", async () => {
  const examine = () => examineWaitingShop(() => sleep(SECOND), { stories: 10 });
  const [one, other] = await Promise.all([examine(), examine()]);
  expect(other.digest).toBe(one.digest);
  expect([...one.failures, ...other.failures]).toEqual([]);
});

test("stands above the fake timers of a runner, and leaves them in place", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"], now: 0 });
  const faked = globalThis.setTimeout;
  const verdict = await examineWaitingShop(() => new Promise((resolve) => setTimeout(resolve, SECOND)));
  expect(verdict.failures, String(verdict)).toEqual([]);
  expect(globalThis.setTimeout).toBe(faked);
  expect(Date.now()).toBe(0);
});

test("refuses fake timers that stop Node itself", async () => {
  vi.useFakeTimers({ toFake: ["queueMicrotask"] });
  await expect(examineWaitingShop(() => Promise.resolve())).rejects.toMatchObject({ code: "INTERCEPTION_REFUSED" });
});

test("a merchant copies what it stored with structuredClone", async () => {
  let copied: unknown;
  const open = (opening: Opening<Orders>) => {
    const handle = openSmallShop(opening);
    return async (request: Request) => {
      const answer = await handle(request);
      copied = structuredClone({ orders: [...opening.store.values()], all: opening.store }).all;
      return answer;
    };
  };
  await exam<Orders>({
    open,
    acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
    books: ({ store }) => ({ orders: [...structuredClone(store).values()] }),
    budget: { stories: 1 },
  });
  expect(copied).toBeInstanceOf(Map);
  expect((copied as Orders).get("order-1")).toMatchObject({ status: "paid" });
});
