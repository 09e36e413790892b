/** `node scripts/name-repository.ts` writes the repository that the workflow runs for into package.json, which npm needs for provenance. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./suites.ts";

/** What GitHub tells each step of a workflow about its repository. */
export interface WorkflowEnvironment {
  /** Such as `https://github.com`. */
  readonly GITHUB_SERVER_URL?: string | undefined;
  /** The owner and the name, such as `octocat/hello-world`. */
  readonly GITHUB_REPOSITORY?: string | undefined;
}

/**
 * Returns the text of a manifest with the addresses of the repository in it, in the place of any that it had.
 * @throws {Error} when the environment is not that of a workflow
 */
export function withRepository(manifest: string, environment: WorkflowEnvironment): string {
  const address = addressOf(environment);
  const {
    name,
    version,
    description,
    keywords,
    homepage: _,
    bugs: __,
    license,
    repository: ___,
    ...rest
  } = JSON.parse(manifest) as Record<string, unknown>;
  const named = {
    name,
    version,
    description,
    keywords,
    homepage: `${address}#readme`,
    bugs: { url: `${address}/issues` },
    license,
    repository: { type: "git", url: `git+${address}.git` },
    ...rest,
  };
  return `${JSON.stringify(named, undefined, 2)}\n`;
}

function addressOf({ GITHUB_SERVER_URL = "", GITHUB_REPOSITORY = "" }: WorkflowEnvironment): string {
  const server = URL.parse(GITHUB_SERVER_URL);
  const isServer = server?.protocol === "https:" && `${server.origin}/` === server.href;
  if (!isServer) throw new Error(refusal("GITHUB_SERVER_URL", GITHUB_SERVER_URL, "the https address of a server"));
  if (!/^[A-Za-z\d][A-Za-z\d-]*\/(?!\.{1,2}$)[\w.-]+$/.test(GITHUB_REPOSITORY) || GITHUB_REPOSITORY.endsWith(".git"))
    throw new Error(refusal("GITHUB_REPOSITORY", GITHUB_REPOSITORY, "an owner and a name, such as owner/name"));
  return `${server.origin}/${GITHUB_REPOSITORY}`;
}

function refusal(variable: string, value: string, takes: string): string {
  const found = value === "" ? "not set" : JSON.stringify(value.slice(0, 200));
  return `${variable} is ${found}. It takes ${takes}, and GitHub sets it in every workflow; run this only there.`;
}

if (process.argv[1] === import.meta.filename) {
  const file = join(root, "package.json");
  try {
    writeFileSync(file, withRepository(readFileSync(file, "utf8"), process.env));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
