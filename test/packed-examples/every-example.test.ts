import { execFile } from "node:child_process";
import { existsSync, readdirSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { environmentOfRunner } from "../runners/runner.ts";
import { isNight } from "../by-night.ts";

const folder = join(import.meta.dirname, "../../.cache/examples");
const shops = readdirSync(folder).filter((name) => existsSync(join(folder, name, "package.json")));

test("there are eight examples for Node", () => {
  expect(shops).toHaveLength(8);
});

/** Debian's Chromium, for the shop whose tests need one. */
const CHROMIUM_PATH = "/usr/bin/chromium-headless-shell";

/** Another shop has the same kind of framework, and the same runner or a runner that test/runners has. */
const byNightAlone = new Set(["hono-shop", "koa-shop", "nest-11-shop"]);
const played = isNight ? shops : shops.filter((shop) => !byNightAlone.has(shop));

test.concurrent.for(played)("the tests of %s pass with the packed tarball", async (shop) => {
  const cwd = join(folder, shop);
  const installed = createRequire(join(cwd, "package.json")).resolve("centavo/package.json");
  expect(realpathSync(installed)).toBe(realpathSync(join(folder, "node_modules/centavo/package.json")));
  const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
    const env = { ...environmentOfRunner(), CHROMIUM_PATH };
    execFile("npm", ["test"], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
    );
  });
  expect(code, output).toBe(0);
});
