import { expect } from "vitest";
import type { SimulatedOptions } from "centavo/testing";
import { sha256Of } from "../../src/kit/base/runtime/sha256.ts";
import { isLateAnswer } from "../../src/shake/plan-of-test.ts";
import type { ShakeOptions } from "../../src/shake/shake.ts";
import { shakenIn } from "./in-process.ts";
import type { Suite } from "./in-process.ts";

/** How the tests of an honest merchant are shaken. */
interface HonestShake {
  /** One in so many troubles is made, and always the same ones; each of them by default. */
  readonly oneIn?: number;
  /** Options of `simulated`, as the merchant's own tests need them. */
  readonly suite?: SimulatedOptions;
}

/** Shakes the tests of an honest merchant, and expects that they pass when nothing goes wrong, and that nothing is found. */
export async function expectNoFinding(tests: Suite, { oneIn = 1, suite = {} }: HonestShake = {}): Promise<void> {
  const { plain, judged, findings } = await shakenIn(tests, { isWanted: some(oneIn), suite });
  expect(
    plain.filter(({ outcome }) => outcome.is !== "passed").map(({ test, outcome }) => ({ test, outcome })),
  ).toEqual([]);
  expect(plain.filter(({ calls }) => calls.length === 0).map(({ test }) => test.title)).toEqual([]);
  expect(findings.map(({ sentence, tests: own }) => ({ sentence, own }))).toEqual([]);
  expect(judged.filter(({ judgement }) => judgement.is === "borne")).not.toEqual([]);
}

/**
 * Chooses troubles by their names, every answer that comes late, because one of them is judged by the others, and one that every merchant
 * bears, so that each test bears some.
 */
function some(oneIn: number): NonNullable<ShakeOptions["isWanted"]> {
  return ({ trouble, point }, { test }) =>
    isLateAnswer(trouble) ||
    trouble.name === "spaced bodies" ||
    Number.parseInt(sha256Of(JSON.stringify([test.title, point, trouble.name])).slice(0, 8), 16) % oneIn === 0;
}
