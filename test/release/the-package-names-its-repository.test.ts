import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withRepository } from "../../scripts/name-repository.ts";

const root = join(import.meta.dirname, "../..");
const manifest = readFileSync(join(root, "package.json"), "utf8");
const environment = { GITHUB_SERVER_URL: "https://git.example", GITHUB_REPOSITORY: "owner/some.name_1" };

test("a tarball that is packed after that step names the repository it was built from", () => {
  const folder = mkdtempSync(join(tmpdir(), "centavo-repository-"));
  for (const name of ["README.md", "LICENSE"]) cpSync(join(root, name), join(folder, name));
  mkdirSync(join(folder, "scripts"));
  for (const name of ["name-repository.ts", "suites.ts"])
    cpSync(join(root, "scripts", name), join(folder, "scripts", name));
  writeFileSync(join(folder, "package.json"), manifest);
  execFileSync(process.execPath, ["scripts/name-repository.ts"], {
    cwd: folder,
    env: { ...process.env, ...environment },
  });
  const pack = ["pack", "--silent", "--ignore-scripts", "--pack-destination", folder];
  const tarball = execFileSync("npm", pack, { cwd: folder, encoding: "utf8" }).trim();
  const packed = execFileSync("tar", ["-xzOf", join(folder, tarball), "package/package.json"], { encoding: "utf8" });
  expect(JSON.parse(packed)).toEqual({
    ...(JSON.parse(manifest) as object),
    homepage: "https://git.example/owner/some.name_1#readme",
    bugs: { url: "https://git.example/owner/some.name_1/issues" },
    repository: { type: "git", url: "git+https://git.example/owner/some.name_1.git" },
  });
});

test("a second run changes nothing, and a repository of before gives way", () => {
  const named = withRepository(manifest, environment);
  expect(withRepository(named, environment)).toBe(named);
  const moved = withRepository(named, { ...environment, GITHUB_REPOSITORY: "owner/moved" });
  expect(moved).not.toContain("some.name_1");
});

test("the manifest keeps the form that the check of the format wants", () => {
  const folder = mkdtempSync(join(tmpdir(), "centavo-format-"));
  writeFileSync(join(folder, "package.json"), withRepository(manifest, environment));
  const command = join(root, "node_modules/.bin/oxfmt");
  expect(() => execFileSync(command, ["--check", "package.json"], { cwd: folder, stdio: "pipe" })).not.toThrow();
});

test.for([
  ["no server", { GITHUB_SERVER_URL: undefined }, "GITHUB_SERVER_URL is not set."],
  ["a server without https", { GITHUB_SERVER_URL: "http://git.example" }, 'GITHUB_SERVER_URL is "http://git.example".'],
  ["a server with a user", { GITHUB_SERVER_URL: "https://me@git.example" }, "GITHUB_SERVER_URL is"],
  ["a server with a path", { GITHUB_SERVER_URL: "https://git.example/a" }, "GITHUB_SERVER_URL is"],
  ["no repository", { GITHUB_REPOSITORY: "" }, "GITHUB_REPOSITORY is not set."],
  ["a repository without an owner", { GITHUB_REPOSITORY: "name" }, 'GITHUB_REPOSITORY is "name".'],
  ["a repository that leads elsewhere", { GITHUB_REPOSITORY: "owner/.." }, "GITHUB_REPOSITORY is"],
  ["a repository with a path", { GITHUB_REPOSITORY: "owner/name/x" }, "GITHUB_REPOSITORY is"],
] as const)("an environment with %s is refused, with what it takes", ([, changed, message]) => {
  const naming = () => withRepository(manifest, { ...environment, ...changed });
  expect(naming).toThrow(message);
  expect(naming).toThrow("GitHub sets it in every workflow; run this only there.");
});
