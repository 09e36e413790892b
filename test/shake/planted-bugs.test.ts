import type { ExamOptions } from "centavo/exam";
import { expect, test } from "vitest";
import { kindOf } from "../../src/shake/troubles-of-shake.ts";
import { shakenIn } from "./in-process.ts";
import type { Suite } from "./in-process.ts";
import { mutantOf } from "./mutants.ts";
import { plantedBugs } from "./planted-bugs.ts";
import type { PlantedBug } from "./planted-bugs.ts";
import { plantedBugsElsewhere } from "./planted-bugs-elsewhere.ts";
import type { PlantedBugElsewhere } from "./planted-bugs-elsewhere.ts";
import { suiteOfTheExpressShop } from "./suite-of-the-express-shop.ts";
import type { ShopModules } from "./suite-of-the-express-shop.ts";
import { flowsOfMerchant, sunnyTests } from "./sunny-tests.ts";

test.for(plantedBugs)("a shop that $name is found, although its own tests pass", async (bug) => {
  const load = mutantOf("examples/express-shop", bug.name, bug.changes);
  const { createShop } = await load<Pick<ShopModules, "createShop">>("shop.ts");
  const { emptyStore } = await load<Pick<ShopModules, "emptyStore">>("store.ts");
  const suite = suiteOfTheExpressShop({ createShop, emptyStore });
  await expectFound(bug, Object.fromEntries(Object.entries(suite).filter(([title]) => title === bug.test)));
});

test.for(plantedBugsElsewhere)("a merchant that $name is found, although its own test passes", async (bug) => {
  await expectFound(bug, await testWith(bug));
});

test.for(plantedBugsElsewhere)("a merchant that does not have the bug “$name” is not accused", async (bug) => {
  const { plain, findings } = await shakenBy(bug, await testWith({ ...bug, name: `not ${bug.name}`, changes: [] }));
  expect(plain.map(({ outcome }) => outcome)).toEqual([{ is: "passed" }]);
  expect(findings).toEqual([]);
});

async function testWith({ merchant: [file, name], changes, flow, waits, ...bug }: PlantedBugElsewhere): Promise<Suite> {
  const module = await mutantOf("test/exam/honest", bug.name, changes)<Record<string, ExamOptions<unknown>>>(file);
  const merchant = module[name];
  if (merchant === undefined) throw new Error(`${file} has no ${name}.`);
  const flows = flowsOfMerchant(merchant).filter((each) => each.name === flow);
  const [[title, own]] = Object.entries(sunnyTests(merchant, flows, [{ name: "shaken", waits }])) as [
    [string, Suite[string]],
  ];
  return { [title]: own };
}

function shakenBy({ kinds }: Pick<PlantedBug, "kinds">, suite: Suite): ReturnType<typeof shakenIn> {
  return shakenIn(suite, { isWanted: ({ trouble }) => kinds.includes(kindOf(trouble)) });
}

async function expectFound(bug: Pick<PlantedBug, "kinds" | "law" | "sentence">, suite: Suite): Promise<void> {
  const { plain, findings } = await shakenBy(bug, suite);
  expect(plain.map(({ outcome }) => outcome)).toEqual([{ is: "passed" }]);
  const found = findings.filter(({ law }) => law === bug.law);
  const sentences = found.flatMap(({ sentence, also }) => [sentence, also].flat());
  expect(sentences.filter((sentence) => bug.sentence.test(sentence))).not.toEqual([]);
}
