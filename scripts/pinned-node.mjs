/**
 * `npm ci` runs this when it ends. The scripts and tests of the repository run on one Node. Where `node` is another, this installs the pinned
 * one, and puts it where npm looks first for what a script calls. It runs on any Node that npm runs on.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dirname, "..");
const folder = join(root, "installs/runtimes/pinned");
const { dependencies } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
const [pinned, own] = [dependencies.node, process.versions.node].map((version) => version.split(".")[0]);

if (own !== pinned) {
  const program = join(folder, "node_modules/node/bin/node");
  if (!existsSync(program)) {
    console.log(
      `This is Node ${own}. Installing Node ${dependencies.node} for the scripts: npm ci in installs/runtimes/pinned`,
    );
    const { status } = spawnSync("npm ci", { cwd: folder, stdio: "inherit", shell: true });
    if (status !== 0) throw new Error(`npm could not install Node ${dependencies.node}.`);
  }
  const link = join(root, "node_modules/.bin/node");
  mkdirSync(dirname(link), { recursive: true });
  rmSync(link, { force: true });
  symlinkSync(relative(dirname(link), program), link);
}
