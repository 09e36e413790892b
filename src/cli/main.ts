#!/usr/bin/env node
import module from "node:module";

// Everything else is imported after this check, because an older Node could not even load it.
const { engines } = module.createRequire(import.meta.url)("centavo/package.json") as {
  readonly engines: { readonly node: string };
};
const [major = 0, minor = 0] = numbersOf(process.versions.node);
const [lowestMajor = 0, lowestMinor = 0] = numbersOf(engines.node);

if (major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)) {
  module.enableCompileCache();
  const { runCommandLine } = await import("./command-line.ts");
  await runCommandLine();
} else {
  console.error(
    `centavo needs Node ${lowestMajor}.${lowestMinor} or newer, and this is ${process.version}. Install a newer Node.`,
  );
  process.exitCode = 2;
}

function numbersOf(version: string): number[] {
  return (version.match(/\d+/g) ?? []).map(Number);
}
