import { expect, test } from "vitest";
import { flowsOf } from "../../src/exam/flows.ts";
import { storiesOf } from "../../src/exam/stories.ts";
import type { Point, Story } from "../../src/exam/story.ts";

const [flow] = flowsOf({ acts: { order: () => new Response() }, plans: ["basic", "plus"] });
const points = [
  "act order 1",
  "call payment-intent.create 1",
  "write  1",
  "call payment-intent.confirm 1",
  "event payment_intent.processing 1",
  "event payment_intent.succeeded 1",
  "event payment_intent.succeeded 2",
  "story  1",
].map((name) => {
  const [kind, subject, occurrence] = name.split(" ") as [Point["kind"], string, string];
  return { kind, subject, occurrence: Number(occurrence) };
});

function inWords({ troubles }: Story): string[] {
  return troubles.map(({ point, trouble }) => `${trouble} at ${point.kind} ${point.subject} ${point.occurrence}`);
}

/** The first stories of a merchant with one flow. */
function stories(count: number, seed: number): readonly string[][] {
  if (flow === undefined) throw new Error("There is no flow.");
  const learned = [{ flow, points, open: new Set<string>() }];
  const told: string[][] = [];
  for (const story of storiesOf(learned, seed, () => true)) if (told.push(inWords(story)) === count) break;
  return told;
}

const isPair = ({ length }: readonly string[]): boolean => length === 2;
const all = stories(400, 1);
const first = all.slice(0, all.findIndex(isPair)).flat();

test("a search begins with what is likely at each kind of place, and with the rest at one of those that are alike", () => {
  expect(first).toContain("request.status 503 at call payment-intent.create 1");
  expect(first).toContain("request.status 503 at call payment-intent.confirm 1");
  expect(first).toContain("crash after at event payment_intent.processing 1");
  expect(first).toContain("crash after at event payment_intent.succeeded 1");
  expect(first).toContain("request.status 409 at call payment-intent.create 1");
  expect(first).toContain("request.status 409 at call payment-intent.confirm 1");
  expect(first.filter((story) => story.startsWith("webhook.extra-fields"))).toEqual([
    "webhook.extra-fields at event payment_intent.processing 1",
  ]);
  expect(first).not.toContain("webhook.drop at event payment_intent.succeeded 2");
});

test("the first stories with two troubles lose the last event to which an act leads", () => {
  expect(all.filter(isPair).slice(0, 2)).toEqual([
    ["request.status 503 at call payment-intent.create 1", "webhook.drop at event payment_intent.succeeded 2"],
    ["request.status 503 at call payment-intent.confirm 1", "webhook.drop at event payment_intent.succeeded 2"],
  ]);
});

test("no story with one trouble comes twice before chance decides", () => {
  const singles = all
    .filter(({ length }) => length === 1)
    .flat()
    .slice(0, first.length + 20);
  expect(new Set(singles).size).toBe(singles.length);
});

test("the order of stories depends on the seed", () => {
  expect(stories(400, 1)).toEqual(all);
  expect(stories(400, 2)).not.toEqual(all);
  expect(stories(400, 2).slice(0, first.length).flat()).toEqual(first);
});
