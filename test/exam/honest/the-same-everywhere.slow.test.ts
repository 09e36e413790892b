import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exam } from "centavo/exam";
import { beforeAll, describe, expect, test } from "vitest";
import { examOfClub } from "../small-club.ts";
import { examOfSmallShop } from "../small-shop.ts";
import { nodes } from "../../nodes.ts";
import { examinedBy as playedBy } from "./elsewhere.ts";
import { byNight, isNight } from "../../by-night.ts";

const root = join(import.meta.dirname, "../../..");
const STORIES = isNight ? 60 : 30;

/** What an exam with failures found, so that their stories, tokens and timelines are compared, too. */
async function examined() {
  const { stories, seed, digest, failures } = await exam({
    ...examOfClub("stays open when unpaid"),
    budget: { stories: STORIES },
  });
  return JSON.parse(JSON.stringify({ stories, seed, digest, failures })) as { readonly failures: readonly object[] };
}

/** What `centavo exam` finds in some threads of another process. */
async function examinedBy(node: string, threads: number): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  writeFileSync(
    join(folder, "club.exam.ts"),
    `import { examOfClub } from ${JSON.stringify(join(root, "test/exam/small-club.ts"))};
    export default examOfClub("stays open when unpaid");`,
  );
  const main = join(root, "src/cli/main.ts");
  const search = `exam club.exam.ts --stories ${STORIES} --jobs ${threads} --report report.json`.split(" ");
  const printed = await new Promise((resolve) => {
    execFile(node, [main, ...search], { cwd: folder }, (_error, stdout, stderr) => resolve(stdout + stderr));
  });
  expect(printed).toContain("0 of 1 exam passed; failed: club.exam.ts");
  const { exams } = JSON.parse(readFileSync(join(folder, "report.json"), "utf8")) as {
    readonly exams: readonly { readonly verdict: unknown }[];
  };
  return exams[0]?.verdict;
}

describe("the same exam", () => {
  let first: Awaited<ReturnType<typeof examined>>;

  beforeAll(async () => {
    first = await examined();
    expect(first.failures).not.toEqual([]);
  });

  test("has the same stories and verdict again in the same process", async () => {
    expect(await examined()).toEqual(first);
  });

  // Each Node with another number of threads: what is the same in all of them depends on neither.
  const inThreads = Object.entries(nodes).map(([name, node], index) => ({ name, node, threads: index + 2 }));
  const [byDay, newest] = [inThreads.slice(0, -1), inThreads.slice(-1)];
  test.for([...byDay, ...byNight(newest)])(
    "has the same stories and verdict in $threads threads of another process, by $name",
    async ({ node, threads }) => {
      expect(await examinedBy(node, threads)).toMatchObject(first);
    },
  );
});

test("the stories of a shop that is right are the same in two processes", async () => {
  const shop = { file: "small-shop.ts", options: `${examOfSmallShop.name}()`, stories: STORIES };
  const [one, other] = await Promise.all([playedBy(process.execPath, shop), playedBy(process.execPath, shop)]);
  expect(one).toMatchObject({ stories: STORIES, failures: [] });
  expect(other).toEqual(one);
});
