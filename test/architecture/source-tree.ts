import { globSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import ts from "@typescript/typescript6";
import { entries } from "../../scripts/entries.ts";

const root = join(import.meta.dirname, "../..");

/** One file of the product, parsed. */
export interface Source {
  /** Its path below `src`, with forward slashes. */
  readonly path: string;
  readonly tree: ts.SourceFile;
}

export function productSources(): readonly Source[] {
  return globSync("**/*.{ts,tsx}", { cwd: join(root, "src") })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .map((path) => parse(path, readFileSync(join(root, "src", path), "utf8")));
}

/** The page of the report runs in its reader's browser, and in no test. */
const page = /^report\/page\//;
const adapters = [
  /^adapters\//,
  /^cli\//,
  /^doctor\//,
  /^inspected\//,
  /^kit\/base\/runtime\//,
  /^merchant\/process\//,
  /^playwright\//,
  /^scenario\//,
  /^server\//,
  /^testing\//,
  /^traffic\//,
  page,
];

/** Every file that is held to do the same in every process: all but the adapters and the runtime. */
export function sourcesBelowTheAdapters(): readonly Source[] {
  return productSources().filter(({ path }) => !adapters.some((pattern) => pattern.test(path)));
}

export function parse(path: string, text: string): Source {
  return { path, tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true) };
}

/** Every module that a file names: imports, re-exports, `import()` and `import("…")` types. */
export function importedModules({ tree }: Source): readonly string[] {
  const found: string[] = [];
  visit(tree, (node) => {
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier !== undefined) {
      if (ts.isStringLiteral(node.moduleSpecifier)) found.push(node.moduleSpecifier.text);
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [specifier] = node.arguments;
      if (specifier !== undefined && ts.isStringLiteralLike(specifier)) found.push(specifier.text);
    }
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      found.push(node.argument.literal.text);
    }
  });
  return found;
}

/** The files below `src` that a file imports: by path, or by the public name of a door, which leads to what the door exports. */
export function importedSources(source: Source): readonly string[] {
  return importedModules(source).flatMap((specifier) => {
    if (specifier.startsWith(".")) return [posix.join(posix.dirname(source.path), specifier)];
    const door = entries.find(({ name }) => name === specifier)?.source.replace("src/", "");
    return door === undefined ? [] : importedSources(parse(door, readFileSync(join(root, "src", door), "utf8")));
  });
}

export function visit(node: ts.Node, look: (node: ts.Node) => void): void {
  look(node);
  ts.forEachChild(node, (child) => visit(child, look));
}
