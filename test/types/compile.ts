/**
 * `node compile.ts COMPILER PROJECT…` checks several projects with one compiler written in JavaScript, and prints the lines that `tsc` would print of each, as JSON.
 * Each file is read and parsed once for all of them, so the projects have to resolve modules in the same way.
 */
import { createRequire } from "node:module";
import type * as TypeScript from "@typescript/typescript6";

const [compiler = "", ...projects] = process.argv.slice(2);
const typescript = createRequire(import.meta.url)(compiler) as typeof TypeScript;
const parsed = new Map<string, TypeScript.SourceFile | undefined>();

const printed = projects.map((project) => {
  const { config } = typescript.readConfigFile(project, (path) => typescript.sys.readFile(path)) as { config: unknown };
  const { options, fileNames, errors } = typescript.parseJsonConfigFileContent(config, typescript.sys, process.cwd());
  const host = typescript.createCompilerHost(options);
  const program = typescript.createProgram(fileNames, options, {
    ...host,
    getSourceFile(name, format, ...rest) {
      const key = JSON.stringify([name, format]);
      if (!parsed.has(key)) parsed.set(key, host.getSourceFile(name, format, ...rest));
      return parsed.get(key);
    },
  });
  const problems = [...errors, ...typescript.getPreEmitDiagnostics(program)];
  return problems.map((problem) => typescript.formatDiagnostic(problem, host).split("\n", 1)[0]);
});
process.stdout.write(JSON.stringify(printed));
