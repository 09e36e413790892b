import { expect, test } from "vitest";
import { storyOf, tokenOf } from "../../src/exam/token.ts";
import { troubles } from "../../src/exam/troubles/troubles.ts";

const flow = { name: "order approved", steps: [] };
const story = {
  troubles: troubles.map((trouble) => ({ point: { kind: trouble.at, subject: "x", occurrence: 1 }, trouble })),
};

test("a token holds every trouble by its name", () => {
  expect(storyOf(tokenOf({ flow, ...story })).troubles).toEqual(story.troubles);
});

test("a token of a trouble that is gone is refused, because nothing would strike", () => {
  const gone = { ...story.troubles[0], trouble: { name: "response.vanished" } } as (typeof story.troubles)[0];
  expect(() => storyOf(tokenOf({ flow, troubles: [gone] }))).toThrow("is not a token of this version of Centavo");
});

test("every trouble strikes in one way, and its sentence ends", () => {
  for (const { name, at, sentence, ...trouble } of troubles) {
    const { begins, fault, crash, deliversTwice, meetsAct, secondProgram, deploys, repeatsJobs, assumptions, onAct } =
      trouble;
    const all = [
      begins,
      fault,
      crash,
      deliversTwice,
      meetsAct,
      secondProgram,
      deploys,
      repeatsJobs,
      assumptions,
      onAct,
    ];
    const ways = all.filter((way) => way !== undefined);
    expect(ways, name).toHaveLength(1);
    expect(sentence({ kind: at, subject: "x", occurrence: 2 }, "Ana", {}), name).toMatch(/^\S.*\.$/);
  }
});

test("every trouble that shake leaves out says why", () => {
  for (const { name, inShake } of troubles)
    if (inShake.is === "left out") expect(inShake.why, name).toMatch(/^[a-z].*[^.]$/);
});
