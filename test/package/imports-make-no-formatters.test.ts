import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entries, outputName } from "../../scripts/entries.ts";

/** Refuses every formatter of Intl, of which the first loads data for 10 ms. */
const WITHOUT_INTL = `
for (const name of Object.getOwnPropertyNames(Intl).filter((one) => /^[A-Z]/.test(one)))
  Intl[name] = class { constructor() { throw new Error("an import made a " + name); } };
`;

// vitest and the reporters make formatters themselves.
const ofCentavo = entries.filter(({ name }) => !name.includes("vitest") && !name.includes("reporter"));

test.for(ofCentavo)("an import of $name makes no formatter of Intl", ({ source }) => {
  const file = join(import.meta.dirname, "../../dist/esm", `${outputName(source)}.js`);
  const code = `${WITHOUT_INTL} await import(${JSON.stringify(file)}); console.log("imported");`;
  expect(execFileSync(process.execPath, ["--input-type=module", "--eval", code], { encoding: "utf8" })).toBe(
    "imported\n",
  );
});
