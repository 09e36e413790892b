import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { exam } from "centavo/exam";
import { beforeAll, describe, expect, test } from "vitest";
import { examOfClub } from "../small-club.ts";

const root = join(import.meta.dirname, "../../..");
const runtimes = {
  "this Node": process.execPath,
  "the lowest Node": join(root, "installs/runtimes/lowest/node_modules/.bin/node"),
  "the newest Node": join(root, "installs/runtimes/newest/node_modules/.bin/node"),
};
const program = `
  import { exam } from ${JSON.stringify(join(root, "src/exam.ts"))};
  import { examOfClub } from ${JSON.stringify(join(root, "test/exam/small-club.ts"))};
  const verdict = await exam({ ...examOfClub("stays open when unpaid"), budget: { stories: 300 } });
  console.log(JSON.stringify({ text: String(verdict), digest: verdict.digest, failures: verdict.failures }));`;

/** What an exam with failures said, so that their stories, tokens and timelines are compared, too. */
async function examined() {
  const verdict = await exam({ ...examOfClub("stays open when unpaid"), budget: { stories: 300 } });
  return { text: String(verdict), digest: verdict.digest, failures: verdict.failures };
}

async function examinedBy(node: string): Promise<unknown> {
  const run = promisify(execFile);
  const { stdout } = await run(node, ["--input-type=module", "--eval", program], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as unknown;
}

describe("the same exam", () => {
  let first: Awaited<ReturnType<typeof examined>>;

  beforeAll(async () => {
    first = await examined();
    expect(first.failures).not.toEqual([]);
  }, 300_000);

  test("has the same stories and verdict again in the same process", async () => {
    expect(await examined()).toEqual(first);
  });

  test.for(Object.entries(runtimes))("has the same stories and verdict in another process, by %s", async ([, node]) => {
    expect(await examinedBy(node)).toEqual(first);
  });
});
