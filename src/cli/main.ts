#!/usr/bin/env node
import module from "node:module";
import { oldNode } from "../kit/base/runtime/old-node.ts";

// Everything else is imported after this check, because an older Node could not even load it.
const tooOld = oldNode();
if (tooOld === undefined) {
  module.enableCompileCache();
  const { runCommandLine } = await import("./command-line.ts");
  await runCommandLine();
} else {
  console.error(tooOld);
  process.exitCode = 2;
}
