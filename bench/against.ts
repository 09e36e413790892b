import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { buildOf, root, runIn } from "./build.ts";
import { comparePairs, costsIn, FEWEST_PAIRS } from "./compare.ts";
import type { Pair } from "./compare.ts";
import { readFigures } from "./figures.ts";
import { showProgress, endProgress } from "./progress.ts";
import { grouped, markdownTable, times } from "./table.ts";

/**
 * Runs parts of this bench on this tree and on another commit, in fresh processes that take turns, and prints what differs. Both have the
 * dependencies of this tree.
 */
export async function compareWithCommit(commit: string, names: readonly string[], count: number): Promise<void> {
  if (count < FEWEST_PAIRS) throw new RangeError(`A comparison needs at least ${FEWEST_PAIRS} pairs.`);
  const other = treeOf(commit);
  buildOf(root);
  buildOf(other);
  const pairs = new Map<string, Pair[]>();
  for (let pair = 0; pair < count; pair += 1) {
    showProgress(`pair ${pair + 1} of ${count}`);
    // Whoever is first in one pair is second in the next, because the first may find a colder machine.
    const first = pair % 2 === 0 ? [root, other] : [other, root];
    const costs = new Map(first.map((tree) => [tree, costsOf(tree, names)]));
    for (const [what, ours] of costs.get(root) ?? []) {
      const theirs = costs.get(other)?.get(what);
      if (theirs !== undefined) pairs.set(what, [...(pairs.get(what) ?? []), [ours, theirs]]);
    }
  }
  endProgress();
  // A name that says what was slowest may be another in another run.
  const rows = [...pairs].flatMap(([what, each]) => {
    if (each.length < count) return [];
    const { ours, theirs, ratio, spread, verdict } = comparePairs(each);
    const digits = theirs < 100 ? 3 : 0;
    const between = spread.map(times).join(" to ");
    return [[what, grouped(ours, digits), grouped(theirs, digits), `${times(ratio)} (${between})`, verdict]];
  });
  console.log(`Medians of ${count} pairs, with the spread that holds the true ratio with 95 % certainty\n`);
  console.log(markdownTable(["Measured", "here", commit, "ratio", "verdict"], rows));
}

/** Writes a commit's files into a folder, with this tree's bench and dependencies. */
function treeOf(commit: string): string {
  const folder = join(root, ".cache/against");
  rmSync(folder, { recursive: true, force: true });
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  const id = execFileSync("git", ["rev-parse", "--verify", `${commit}^{commit}`], {
    cwd: root,
    encoding: "utf8",
  }).trim();
  runIn(root, `git archive ${id} | tar -x -C ${JSON.stringify(folder)}`);
  rmSync(join(folder, "bench"), { recursive: true });
  cpSync(join(root, "bench"), join(folder, "bench"), { recursive: true });
  const own = join(root, "node_modules");
  for (const name of readdirSync(own)) symlinkSync(join(own, name), join(modules, name));
  // The workspace that is the package itself has to be the commit's.
  rmSync(join(modules, "centavo"), { force: true });
  symlinkSync(folder, join(modules, "centavo"));
  return folder;
}

function costsOf(tree: string, names: readonly string[]): Map<string, number> {
  const file = join(tree, ".cache/compared-figures.json");
  mkdirSync(join(tree, ".cache"), { recursive: true });
  rmSync(file, { force: true });
  execFileSync(process.execPath, [join(tree, "bench/run.ts"), ...names, "--to", file], { cwd: tree, stdio: "inherit" });
  return costsIn(Object.values(readFigures(file)).map(({ measured }) => measured));
}
