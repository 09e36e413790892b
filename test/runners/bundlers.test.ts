import { cpSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "./runner.ts";
import { byNight } from "../by-night.ts";

const root = join(import.meta.dirname, "../..");
const folder = "shop/bundled";
const from = join(root, ".cache/runners", folder);
const require = createRequire(join(root, "installs/bundlers/all/package.json"));
const load = (name: string): unknown => require(name);

type Format = "esm" | "cjs";
type Bundle = (format: Format, to: string) => Promise<unknown>;

const bundlers: Readonly<Record<string, Bundle>> = {
  async esbuild(format, to) {
    const { build } = load("esbuild") as { readonly build: (options: object) => Promise<unknown> };
    const entryPoints = [join(from, "main.mjs")];
    await build({ entryPoints, bundle: true, platform: "node", format, outfile: to, logLevel: "silent" });
  },
  async Vite(format, to) {
    const { build } = (await import(require.resolve("vite"))) as {
      readonly build: (options: object) => Promise<unknown>;
    };
    const output = { format, entryFileNames: to.slice(to.lastIndexOf("/") + 1) };
    await build({
      root: from,
      configFile: false,
      logLevel: "silent",
      mode: "test",
      ssr: { noExternal: true },
      build: { ssr: "main.mjs", outDir: join(to, ".."), emptyOutDir: false, rollupOptions: { output } },
    });
  },
  webpack(format, to) {
    const webpack = load("webpack") as (
      options: object,
      done: (error: Error | null, stats?: { hasErrors(): boolean; toString(): string }) => void,
    ) => void;
    const isModule = format === "esm";
    const options = {
      mode: "development",
      target: "node",
      context: from,
      entry: "./main.mjs",
      experiments: { outputModule: isModule },
      output: { path: join(to, ".."), filename: to.slice(to.lastIndexOf("/") + 1), module: isModule },
    };
    return new Promise<void>((resolve, reject) => {
      webpack(options, (error, stats) => {
        if (error === null && stats?.hasErrors() === false) resolve();
        else reject(error ?? new Error(String(stats)));
      });
    });
  },
};

/** Each bundler with one format, and both formats. */
const bundles = [
  { name: "esbuild", format: "esm" },
  { name: "Vite", format: "esm" },
  { name: "webpack", format: "cjs" },
  ...byNight([
    { name: "esbuild", format: "cjs" },
    { name: "Vite", format: "cjs" },
    { name: "webpack", format: "esm" },
  ] as const),
] as const;

test.for(bundles)("what $name bundles as $format intercepts every client", async ({ name, format }) => {
  const to = join(from, `${name}-${format}`, format === "esm" ? "out.mjs" : "out.cjs");
  await bundlers[name]?.(format, to);
  const { output, code } = await run({ folder, arguments: () => ["--no-warnings", to] });
  expect(code, output).toBe(0);
  expect(JSON.parse(output)).toEqual({ statuses: [200, 200], report: "<!doctype html>", kind: "intercept" });
});

test("a bundle that runs away from its packages says which one is missing, and what to do", async () => {
  const to = join(from, "away/out.mjs");
  await bundlers["esbuild"]?.("esm", to);
  const away = join(tmpdir(), `centavo-bundle-${process.pid}.mjs`);
  onTestFinished(() => rmSync(away));
  cpSync(to, away);
  const { output } = await run({ folder, arguments: () => ["--no-warnings", away] });
  const { statuses } = JSON.parse(output) as { readonly statuses: readonly unknown[] };
  expect(statuses).toEqual([
    200,
    "intercept() cannot load @mswjs/interceptors, which no bundle can hold. Run the bundle where that package is installed, " +
      "or leave centavo out of the bundle, as with --external:centavo of esbuild (node_modules/centavo/docs/guide/ways-in.md#bundlers).",
  ]);
});
