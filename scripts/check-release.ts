/** `node scripts/check-release.ts v0.2.0` fails unless the tag, the manifest and the changelog name the same release, with changes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../package.json" with { type: "json" };
import { root } from "./suites.ts";

/** Returns what is wrong with a release, each as a sentence. */
export function problemsOfRelease(tag: string, version: string, changelog: string): string[] {
  const problems: string[] = [];
  if (tag !== `v${version}`) problems.push(`The tag is ${tag}, and package.json has the version ${version}.`);
  const [, ...sections] = changelog.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${version} (`));
  if (section === undefined) problems.push(`CHANGELOG.md has no section "## ${version} (date)".`);
  else {
    if (!/^\S+ \(\d{4}-\d{2}-\d{2}\)\n/.test(section)) problems.push(`CHANGELOG.md gives ${version} no date.`);
    if (!/^- /m.test(section)) problems.push(`CHANGELOG.md names no change of ${version}.`);
  }
  const unreleased = sections.find((text) => text.startsWith("Unreleased"));
  if (unreleased !== undefined && /^- /m.test(unreleased))
    problems.push("CHANGELOG.md still has unreleased changes: they belong to this release.");
  return problems;
}

if (process.argv[1] === import.meta.filename) {
  const problems = problemsOfRelease(
    process.argv[2] ?? "",
    manifest.version,
    readFileSync(join(root, "CHANGELOG.md"), "utf8"),
  );
  if (!("repository" in manifest))
    problems.push(
      "package.json names no repository, and npm needs one for provenance: the workflow writes it with scripts/name-repository.ts.",
    );
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
