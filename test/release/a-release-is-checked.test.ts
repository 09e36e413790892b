import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { problemsOfRelease } from "../../scripts/check-release.ts";

const root = join(import.meta.dirname, "../..");
const changelog =
  "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n- A change.\n\n## 0.1.0 (2026-11-01)\n\n- The first.\n";

test("a release whose tag, version and changelog agree has no problems", () => {
  expect(problemsOfRelease("v0.2.0", "0.2.0", changelog)).toEqual([]);
});

test.for([
  ["another tag", "v0.3.0", changelog, "The tag is v0.3.0, and package.json has the version 0.2.0."],
  ["no section", "v0.2.0", "# Changelog\n", 'CHANGELOG.md has no section "## 0.2.0 (date)".'],
  ["no date", "v0.2.0", "## 0.2.0 (soon)\n\n- A change.\n", "CHANGELOG.md gives 0.2.0 no date."],
  ["no change", "v0.2.0", "## 0.2.0 (2026-12-01)\n", "CHANGELOG.md names no change of 0.2.0."],
  [
    "changes that are left",
    "v0.2.0",
    changelog.replace("Unreleased\n", "Unreleased\n\n- Another.\n"),
    "CHANGELOG.md still has unreleased changes: they belong to this release.",
  ],
] as const)("a release is refused for %s", ([, tag, text, problem]) => {
  expect(problemsOfRelease(tag, "0.2.0", text)).toEqual([problem]);
});

interface Workflow {
  readonly on: { readonly push: { readonly tags: readonly string[] } };
  readonly jobs: {
    readonly publish: {
      readonly permissions: Readonly<Record<string, string>>;
      readonly steps: readonly { readonly run?: string; readonly uses?: string }[];
    };
  };
}

test("the workflow publishes a tag with provenance, after naming its repository, the check of the release and all of CI", () => {
  const { on, jobs } = parse(readFileSync(join(root, ".github/workflows/publish.yml"), "utf8")) as Workflow;
  expect(on.push.tags).toEqual(["v*"]);
  expect(jobs.publish.permissions).toEqual({ contents: "read", "id-token": "write" });
  const runs = jobs.publish.steps.flatMap(({ run = "" }) => (run === "" ? [] : [run.replace(/ #.*/, "")]));
  expect(runs.slice(-4)).toEqual([
    "node scripts/name-repository.ts",
    'node scripts/check-release.ts "$GITHUB_REF_NAME"',
    "bash .ci/run",
    "npm publish --provenance --access public",
  ]);
});

test.for(["bug", "false-alarm", "question"])("the template %s asks for what helps", (name) => {
  const text = readFileSync(join(root, `.github/ISSUE_TEMPLATE/${name}.yml`), "utf8");
  const { body } = parse(text) as { body: { id: string; attributes: { label: string }; type: string }[] };
  expect(new Set(body.map(({ id }) => id)).size).toBe(body.length);
  expect(body.every(({ type, attributes }) => ["input", "textarea"].includes(type) && attributes.label !== "")).toBe(
    true,
  );
  if (name === "bug") expect(body.map(({ id }) => id)).toEqual(expect.arrayContaining(["seed", "recording", "digest"]));
});
