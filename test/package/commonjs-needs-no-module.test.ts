import { execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist/cjs");

test("no CommonJS file has what only a module has", () => {
  const files = globSync("**/*.js", { cwd: dist });
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => readFileSync(join(dist, file), "utf8").includes("import.meta"))).toEqual([]);
});

test("a server keeps its worlds in a file, in CommonJS too", () => {
  const folder = mkdtempSync(join(tmpdir(), "commonjs-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = `
    const { createSimulator } = require("centavo");
    const { serve } = require("centavo/server");
    serve(createSimulator(), { state: process.argv[1] }).then(async (server) => {
      await server.close();
      console.log("closed");
    });`;
  const printed = execFileSync(process.execPath, ["-e", program, join(folder, "shop.db")], {
    cwd: root,
    encoding: "utf8",
  });
  expect(printed).toBe("closed\n");
});
