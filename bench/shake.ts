/** Prints the milliseconds of processor time of a suite with so many troubles in each of its tests, or of the suite as it is without a number. */
import { join } from "node:path";
import { root, runNode } from "./measure.ts";

const suite = ["--test", join(import.meta.dirname, "shake-suite.ts")];
const [troubles] = process.argv.slice(2);
const shake = ["shake", "--fail-on", "never", "--json", "--max-runs", troubles ?? "", "--", process.execPath, ...suite];

const { printed, milliseconds } = runNode(
  troubles === undefined ? suite : [join(root, "dist/esm/cli/main.js"), ...shake],
);
if (troubles !== undefined && (JSON.parse(printed) as { readonly runs: number }).runs !== Number(troubles))
  throw new Error(`There are not ${troubles} troubles in a test of the suite.`);
console.log(milliseconds);
