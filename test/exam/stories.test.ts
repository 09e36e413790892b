import { expect, test } from "vitest";
import { flowsOf } from "../../src/exam/flows.ts";
import { planOf } from "../../src/exam/stories.ts";
import type { LearnedFlow } from "../../src/exam/chances.ts";
import type { Story } from "../../src/exam/story.ts";
import type { Point } from "../../src/troubles/point.ts";

const flows = flowsOf({ acts: { order: () => new Response() }, plans: ["basic", "plus"] });
const points = pointsNamed(
  "act order 1",
  "call payment-intent.create 1",
  "write  1",
  "call payment-intent.confirm 1",
  "event payment_intent.processing 1",
  "event payment_intent.succeeded 1",
  "event payment_intent.succeeded 2",
  "story  1",
);

function pointsNamed(...names: readonly string[]): readonly Point[] {
  return names.map((name) => {
    const [kind, subject, occurrence] = name.split(" ") as [Point["kind"], string, string];
    return { kind, subject, occurrence: Number(occurrence) };
  });
}

/** A flow that passes the points above, and what else is given. */
function learned(name: string, given: Partial<LearnedFlow> = {}): LearnedFlow {
  const flow = flows.find((each) => each.name === name);
  if (flow === undefined) throw new Error(`There is no flow "${name}".`);
  return { flow, points, open: new Set<string>(), reads: new Set<string>(), ...given };
}

function inWords({ troubles }: Story): string[] {
  return troubles.map(({ point, trouble }) => `${trouble.name} at ${point.kind} ${point.subject} ${point.occurrence}`);
}

/** The first stories of a merchant, by default one with one flow. */
function stories(count: number, seed: number, all = [learned("order approved")]): readonly Story[] {
  const played: Story[] = [];
  for (const story of planOf(all, seed, () => true).stories()) if (played.push(story) === count) break;
  return played;
}

function told(count: number, seed: number, merchant?: LearnedFlow[]): readonly string[][] {
  return stories(count, seed, merchant).map(inWords);
}

const isPair = ({ length }: readonly string[]): boolean => length === 2;
const all = told(400, 1);
/** What tells how the flow ended. */
const LAST_EVENT = "event payment_intent.succeeded 2";
/** One story with one trouble comes before the first with two. */
const first = all.slice(0, all.findIndex(isPair) - 1).flat();

test("a search begins with what is likely at each kind of place, and with the rest at one of those that are alike", () => {
  expect(first).toContain("request.status 503 at call payment-intent.create 1");
  expect(first).toContain("request.status 503 at call payment-intent.confirm 1");
  expect(first).toContain("crash after at event payment_intent.processing 1");
  expect(first).toContain("crash after at event payment_intent.succeeded 1");
  expect(first).toContain("request.status 409 at call payment-intent.create 1");
  expect(first).toContain("request.status 409 at call payment-intent.confirm 1");
  // Of the events that are alike, more depends on the last.
  expect(first.filter((story) => story.startsWith("webhook.extra-fields"))).toEqual([
    "webhook.extra-fields at event payment_intent.succeeded 1",
  ]);
});

test("a search begins with the stories whose flows pass fewer points", () => {
  const longer = [...points, ...pointsNamed("call payment-intent.status 1")];
  const shorter = pointsNamed("act order 1", "event payment_intent.requires_action 1", "story  1");
  const merchant = [
    learned("order approved", { points: longer }),
    learned("order with a challenge", { points: shorter }),
  ];
  const begun = stories(first.length, 1, merchant).map(({ flow }) => flow.name);
  const long = begun.indexOf("order approved");
  expect(new Set(begun.slice(0, long))).toEqual(new Set(["order with a challenge"]));
  expect(new Set(begun.slice(long))).toEqual(new Set(["order approved"]));
});

test("then a customer who got no answer tries again, and events are lost that would have told how it ended", () => {
  const added = all.slice(first.length).filter((_, index) => index % 2 === 1);
  expect(added.slice(0, 2)).toEqual([
    ["response.lost at call payment-intent.create 1", "back button at act order 1"],
    ["response.lost at call payment-intent.confirm 1", "back button at act order 1"],
  ]);
  expect(added).toContainEqual(["processor.late at act order 1", "back button at act order 1"]);
  const lost = added.findIndex(([one]) => one === `webhook.drop at ${LAST_EVENT}`);
  expect(added.slice(lost, lost + 3)).toEqual([
    [`webhook.drop at ${LAST_EVENT}`],
    ["request.status 503 at call payment-intent.create 1", `webhook.drop at ${LAST_EVENT}`],
    ["request.status 503 at call payment-intent.confirm 1", `webhook.drop at ${LAST_EVENT}`],
  ]);
  const twice = added.findIndex(([one]) => one === `webhook.new-id at ${LAST_EVENT}`);
  expect(twice).toBeGreaterThan(lost);
  expect(added.slice(lost).map(([one]) => one)).toContain("pays in two tabs at act order 1");
});

test("a customer finishes later only what another act follows", () => {
  const open = new Set(["act order 1", "act payAgain 1"]);
  const isLater = (story: string): boolean => story.startsWith("finishes later");
  const twice = { open, points: [...points, ...pointsNamed("act payAgain 1")] };
  expect(
    told(400, 1, [learned("order approved", { open })])
      .flat()
      .filter(isLater),
  ).toEqual([]);
  expect(
    new Set(
      told(400, 1, [learned("order approved", twice)])
        .flat()
        .filter(isLater),
    ),
  ).toEqual(new Set(["finishes later at act order 1"]));
});

test("an attack comes first where the order stays unpaid", () => {
  const open = new Set(["act order 1"]);
  const names = ["order with a challenge", "order with the challenge left"];
  const merchant = names.map((name) => learned(name, { open }));
  const attack = stories(200, 1, merchant).find(({ troubles }) => troubles[0]?.trouble.name === "forged event");
  expect(attack?.flow.name).toBe("order with the challenge left");
});

test("no story with one trouble comes twice before chance decides", () => {
  const singles = all
    .filter(({ length }) => length === 1)
    .flat()
    .slice(0, first.length + 20);
  expect(new Set(singles).size).toBe(singles.length);
});

test("the order of stories depends on the seed", () => {
  expect(told(400, 1)).toEqual(all);
  expect(told(400, 2)).not.toEqual(all);
  expect(told(400, 2).slice(0, first.length).flat()).toEqual(first);
});
