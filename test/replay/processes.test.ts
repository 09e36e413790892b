import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { replay, type Recording } from "centavo";
import { runScenario } from "centavo/scenario";
import { describe, expect, test } from "vitest";
import { stories } from "../scenarios/stories.ts";
import { nodes } from "../nodes.ts";

const root = join(import.meta.dirname, "../..");
const frozen = join(import.meta.dirname, "frozen");
const program = `
  import { readFileSync } from "node:fs";
  import { replay } from ${JSON.stringify(new URL("../../src/index.ts", import.meta.url).href)};
  const sim = await replay(JSON.parse(readFileSync(process.argv[1], "utf8")));
  console.log(sim.journal.digest());`;

/** Replays a file in a separate process, and returns the digest that it reached. */
async function replayedBy(node: string, file: string): Promise<string> {
  const { stdout } = await promisify(execFile)(node, ["--input-type=module", "--eval", program, file]);
  return stdout.trim();
}

/** Recorded by `centavo run --record`, on Node 24. */
const kept = ["renewal-fails-past-due-recovers-on-the-second-retry", "answer-lost-and-a-blind-retry-charges-twice"];

describe.for(Object.entries(nodes))("in another process, by %s", ([, node]) => {
  test("a run of this process is replayed to the same digest", async () => {
    const [, story] = stories.find(([name]) => name === "three-d-secure-passed") ?? [];
    const { recording, digest } = await runScenario(story as (typeof stories)[number][1], { way: "memory", expect });
    const file = join(mkdtempSync(join(tmpdir(), "centavo-")), "run.json");
    writeFileSync(file, JSON.stringify(recording()));
    expect(await replayedBy(node, file)).toBe(digest);
  });

  test.for(kept)("the frozen recording %s is replayed to its digest", async (name) => {
    const file = join(frozen, `${name}.json`);
    const { digest } = JSON.parse(readFileSync(file, "utf8")) as Recording;
    expect(await replayedBy(node, file)).toBe(digest);
  });
});

test.for(kept)("the frozen recording %s is of the story as it is frozen", async (name) => {
  const recording = JSON.parse(readFileSync(join(frozen, `${name}.json`), "utf8")) as Recording;
  const digests = JSON.parse(readFileSync(join(root, "test/scenarios/digests.json"), "utf8")) as Record<string, string>;
  expect((await replay(recording)).journal.digest()).toBe(digests[name]);
});
