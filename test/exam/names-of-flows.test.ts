import { expect, test } from "vitest";
import { exam } from "../../src/exam/exam.ts";
import { examOfClub } from "./small-club.ts";
import { examOfSmallShop } from "./small-shop.ts";

const tokenWith = (flow: string): string => btoa(JSON.stringify({ flow })).replaceAll("=", "");

test("flows are named in words without commas, so that a list of them can be read", async () => {
  const budget = { stories: 1 };
  const verdicts = [await exam({ ...examOfSmallShop(), budget }), await exam({ ...examOfClub(), budget })];
  for (const { coverage } of verdicts) {
    const names = [...Object.keys(coverage.flows), ...coverage.flowsNotPlayed];
    expect(names.length).toBeGreaterThan(5);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+( [a-z0-9]+)*$/);
  }
});

test("a token of a flow that this version does not have is refused, and the message names the flow", async () => {
  const old = "order, declined, then paid again";
  await expect(exam({ ...examOfSmallShop(), replay: tokenWith(old) })).rejects.toThrow(
    `exam: the story of the option replay has the flow "${old}", which this version of Centavo does not have. Another version wrote the token: examine again, and take the token of the new verdict.`,
  );
});
