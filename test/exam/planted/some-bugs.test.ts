import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { plantedBugs } from "./bugs.ts";
import { examOfMutant } from "./open-mutant.ts";

/** The others are found by `npm run test:exam`. */
const some = plantedBugs.filter(({ name }) =>
  ["fulfils on processing", "stock kept for ever", "pesos for centavos"].includes(name),
);

test.for(some)("finds what is planted in the example shop: $name", async (bug) => {
  const { failures } = await exam({ ...(await examOfMutant(bug)), budget: { stories: 60, failures: 1 } });
  expect(failures.map(({ law }) => law).filter((law) => bug.laws.includes(law))).not.toEqual([]);
});
