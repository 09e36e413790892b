import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runScenario } from "centavo/scenario";
import type { Scenario } from "centavo/scenario";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { examples, pages, root, suites } from "./examples.ts";
import type { Example } from "./examples.ts";
import { runnable } from "./runnable.ts";

const folder = join(import.meta.dirname, "extracted");
const isOfSuite = ({ page, code }: Example): boolean =>
  suites.some((suite) => suite === page) && code.includes('from "vitest"');

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  for (const { file, code } of examples) writeFileSync(join(folder, file), runnable(code));
  // The inspector that an example starts ends with this run.
  vi.stubEnv("CI", "true");
  vi.stubEnv("WEBHOOK_SECRET", "whsec_dGVzdA==");
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Which test checks the blocks of each language; a block without a language is no code, but what something prints. */
const checkedBy: Readonly<Record<string, string>> = {
  "": "this file checks the verdict of an exam, and nothing has to check what else is printed",
  ts: "this file runs them, and examples-have-types.test.ts compiles them",
  js: "test/runners/pages-of-the-guide.test.ts runs them as files of a suite",
  sh: "test/docs/commands-of-the-guide.test.ts reads them",
  shell: "test/beside/completion.test.ts runs them in bash, zsh and fish",
  yaml: "test/docs/commands-of-the-guide.test.ts reads them",
  bash: "test/docs/excerpts-of-the-shops.test.ts finds them in a shop that CI runs",
  php: "test/docs/excerpts-of-the-shops.test.ts finds them in a shop that CI runs",
  perl: "test/beside/contract/generated-control-client.test.ts runs them",
  text: "test/beside/contract/generated-control-client.test.ts runs those of generators; the others need Docker or a cluster",
  python: "test/docs/excerpts-of-the-shops.test.ts finds them in a shop that CI runs",
  mermaid: "a picture, which GitHub draws",
};

test("every block of code is of a language that a test checks", () => {
  const languages = [...pages, "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].flatMap((page) => {
    const fences = readFileSync(join(root, page), "utf8").match(/^ *(?:```|~~~).*$/gm) ?? [];
    return fences.filter((_fence, index) => index % 2 === 0).map((fence) => fence.trim().slice(3));
  });
  expect([...new Set(languages)].toSorted()).toEqual(Object.keys(checkedBy).toSorted());
});

describe("the examples of the documentation run", () => {
  test.each(examples.filter((example) => !isOfSuite(example)))("$name", async ({ page, file, code }) => {
    const assert = vi.spyOn(console, "assert");
    const log = vi.spyOn(console, "log");
    const { default: story } = (await import(join(folder, file))) as { readonly default?: Scenario };
    // test/packed-examples/a-shop-that-runs.test.ts plays the others, against shops in other languages.
    if (code.includes("export default scenario(") && !code.includes("--merchant")) await expectStory(story, page);
    for (const [holds] of assert.mock.calls) expect(holds).toBe(true);
    // The front page tells the verdict of the exam's page.
    if (code.includes("console.log(String(verdict))"))
      for (const teller of ["README.md", page])
        expect(log.mock.calls.join("\n").split("\n"), teller).toEqual(expect.arrayContaining(toldVerdict(teller)));
  });
});

/** Plays a story, and compares what its page says that `centavo run` prints. Ids, and what a page leaves out, have an ellipsis there. */
async function expectStory(story: Scenario | undefined, page: string): Promise<void> {
  const { error, timeline } = await runScenario(story as Scenario, { fakeDate: true });
  expect(error).toBeUndefined();
  const [, printed = ""] = readFileSync(join(root, page), "utf8").split(`: ${story?.title}\n\n`);
  const shown = (printed.split("passed digest")[0] as string).split("\n").filter((line) => !line.includes("…"));
  expect(timeline.split("\n").map((line) => line.trim())).toEqual(
    expect.arrayContaining(shown.map((line) => line.trim())),
  );
  if (page === "docs/guide/stories.md") expect(shown.length).toBeGreaterThan(5);
}

/** The lines of the failure that a page shows. It leaves out the end of the token, and of the remedy the page with the law. */
function toldVerdict(page: string): unknown[] {
  const blocks = readFileSync(join(root, page), "utf8").matchAll(/^```\n(✗.*?)\n```$/gms);
  const verdicts = [...blocks].map(([, text = ""]) => text).filter((text) => text.includes("\n  1. "));
  expect(verdicts, page).toHaveLength(1);
  const [failure = ""] = verdicts;
  return failure.split("\n").map((line) => expect.stringContaining(line.split(/eyJ/)[0] as string) as unknown);
}
