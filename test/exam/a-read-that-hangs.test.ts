import { exam } from "centavo/exam";
import type { ExamOptions, Opening } from "centavo/exam";
import { expect, test } from "vitest";
import { tokenOf } from "../../src/exam/token.ts";
import { placed } from "./placed.ts";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

const replay = tokenOf({
  flow: { name: "order with a challenge", steps: [] },
  troubles: [placed("call payment-intent.status 1", "reads hang")],
});

type Fetch = typeof globalThis.fetch;

/** Plays a story in which reads hang, with a shop that calls through another `fetch`. */
const examine = (fetchOf: (opening: Opening<Orders>) => Fetch, more: Partial<ExamOptions<Orders>> = {}) =>
  exam({
    ...examOfSmallShop(),
    open: (opening) => openSmallShop({ ...opening, fetch: fetchOf(opening) }),
    replay,
    ...more,
  });

const withoutTimeout =
  ({ fetch }: Opening<Orders>): Fetch =>
  (input, init) =>
    fetch(input, { ...init, signal: null });

test("a shop whose calls have a timeout passes while reads hang for an hour", async () => {
  const verdict = await examine(({ fetch }) => fetch);
  expect(verdict.outcome, String(verdict)).toBe("passed");
});

test("reads hang again and again, for an hour", async () => {
  const begun: number[] = [];
  const answered: number[] = [];
  const counting =
    ({ fetch, now }: Opening<Orders>): Fetch =>
    async (input, init) => {
      const at = now().getTime();
      if (init?.method === "GET") begun.push(at);
      const answer = await fetch(input, init);
      if (init?.method === "GET") answered.push(at);
      return answer;
    };
  const flow = { name: "order with a challenge", steps: [] };
  const troubles = [
    placed("call payment-intent.status 1", "reads hang"),
    placed("event payment_intent.succeeded 1", "webhook.drop"),
  ];
  const verdict = await examine(counting, { replay: tokenOf({ flow, troubles }) });
  expect(verdict.outcome, String(verdict)).toBe("passed");
  const end = (begun[0] ?? 0) + 3_600_000;
  expect(begun.filter((at) => at < end).length).toBeGreaterThanOrEqual(4);
  expect(Math.min(...answered)).toBeGreaterThanOrEqual(end);
  expect(answered.length).toBeGreaterThan(0);
});

test("a request that waits for a read without a timeout waits for ever", async () => {
  const { failures } = await examine(withoutTimeout);
  const [failure] = failures;
  expect(failure?.law).toBe("nothing-waits-for-ever");
  expect(failure?.what).toMatch(
    /^The call GET \S+\/status has no timeout: while it answered GET \/return, the merchant/,
  );
  expect(failure?.story.join(" ")).toContain(
    "From the call payment-intent.status on, the service never answers a read, for 1 hour.",
  );
});

test("limits on the sockets of intercepted clients are in real time, so nobody is accused of having none", async () => {
  const verdict = await examine(withoutTimeout, { intercept: true });
  expect(verdict.outcome, String(verdict)).toBe("passed");
});

test("a client whose timed-out read is repeated at once, for ever, makes a storm of calls", async () => {
  const { failures } = await examine(({ fetch, timeout }) => async (input, init) => {
    for (;;)
      try {
        return await fetch(input, { ...init, signal: timeout("10 seconds") });
      } catch {
        // The next try will succeed, or so its author believes.
      }
  });
  const [failure] = failures;
  expect(failure?.law).toBe("no-storm-of-calls");
  expect(failure?.what).toMatch(
    /^The merchant repeated the call GET \S+\/status without a pause whenever it got no answer, so its story was broken off, while/,
  );
});

test("tries with pauses between them are no storm, however many they are", async () => {
  const { failures } = await examine(({ fetch, timeout, sleep }) => async (input, init) => {
    for (let pause = 2; ; pause = Math.min(pause * 2, 60))
      try {
        return await fetch(input, { ...init, signal: timeout("5 seconds") });
      } catch {
        await sleep(pause * 1000);
      }
  });
  expect(failures.filter(({ law }) => law === "no-storm-of-calls")).toEqual([]);
});
