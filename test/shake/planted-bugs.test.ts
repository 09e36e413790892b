import { expect, test } from "vitest";
import { kindOf } from "../../src/shake/troubles-of-shake.ts";
import { shakenIn } from "./in-process.ts";
import { mutantOfTheExpressShop } from "./mutant-of-the-express-shop.ts";
import { plantedBugs } from "./planted-bugs.ts";
import { suiteOfTheExpressShop } from "./suite-of-the-express-shop.ts";

test.for(plantedBugs)("a shop that $name is found, although its own tests pass", async (bug) => {
  const suite = suiteOfTheExpressShop(await mutantOfTheExpressShop(bug));
  const one = Object.fromEntries(Object.entries(suite).filter(([title]) => title === bug.test));
  const { plain, findings } = await shakenIn(one, { isWanted: ({ trouble }) => bug.kinds.includes(kindOf(trouble)) });
  expect(plain.map(({ outcome }) => outcome)).toEqual([{ is: "passed" }]);
  const found = findings.filter(({ law }) => law === bug.law);
  const sentences = found.flatMap(({ sentence, also }) => [sentence, also].flat());
  expect(sentences.filter((sentence) => bug.sentence.test(sentence))).not.toEqual([]);
});
