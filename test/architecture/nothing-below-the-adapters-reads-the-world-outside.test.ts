import { isBuiltin } from "node:module";
import ts from "@typescript/typescript6";
import { describe, expect, test } from "vitest";
import { importedModules, parse, productSources, visit, type Source } from "./source-tree.ts";

const outside = [/^adapters\//, /^cli\//, /^scenario\//, /^testing\//, /^host\.ts$/];

const forbiddenGlobals = new Set([
  "Buffer",
  "clearImmediate",
  "clearInterval",
  "clearTimeout",
  "global",
  "performance",
  "process",
  "require",
  "setImmediate",
  "setInterval",
  "setTimeout",
]);

const forbiddenMembers = new Set([
  "Date.now",
  "Math.random",
  "Temporal.Now",
  "crypto.getRandomValues",
  "crypto.randomUUID",
]);

describe("below the adapters", () => {
  const core = productSources().filter(({ path }) => !outside.some((pattern) => pattern.test(path)));

  test("no file reads the wall clock, chance, timers, the process or a module of Node's", () => {
    expect(core.flatMap((source) => offences(source).map((offence) => `${source.path}: ${offence}`))).toEqual([]);
  });

  test.for([
    ["import { createServer } from 'node:http';", "node:http"],
    ["import type { Server } from 'http';", "http"],
    ["const fs = await import('node:fs');", "node:fs"],
    ["import { http } from 'msw';", "msw"],
    ["const id = Math.random();", "Math.random"],
    ["const id = Math['random']();", "Math.random"],
    ["const { random } = Math;", "Math"],
    ["const at = Date.now();", "Date.now"],
    ["const at = globalThis.Date.now();", "Date.now"],
    ["const at = new Date();", "new Date()"],
    ["const at = Date();", "Date"],
    ["const at = Temporal.Now.instant();", "Temporal.Now"],
    ["const id = crypto.randomUUID();", "crypto.randomUUID"],
    ["const mode = process.env.MODE;", "process"],
    ["globalThis.setTimeout(run, 5);", "setTimeout"],
    ["const later = { run: setImmediate };", "setImmediate"],
    ["const bytes = Buffer.from('');", "Buffer"],
  ] as const)("%s is found", ([text, offence]) => {
    expect(offences(parse("sample.ts", text))).toEqual([offence]);
  });

  test.for([
    "const at = new Date(0).toISOString();",
    "const at = Date.UTC(2026, 0, 1);",
    "const largest = Math.max(1, 2);",
    "const verbs = { process: () => undefined }; verbs.process();",
    "function process(): void {} process();",
    "const known = value instanceof Date; type When = Date;",
  ])("%s is left alone", (text) => {
    expect(offences(parse("sample.ts", text))).toEqual([]);
  });
});

function offences(source: Source): readonly string[] {
  const found = importedModules(source).filter((name) => isBuiltin(name) || /^(msw|@mswjs)(\/|$)/.test(name));
  const declared = declaredNames(source);
  visit(source.tree, (node) => {
    const name = globalName(node, declared);
    if (name === undefined) return;
    const use = node.parent;
    const member = memberName(use, node);
    if (forbiddenGlobals.has(name)) found.push(name);
    else if (member !== undefined && forbiddenMembers.has(`${name}.${member}`)) found.push(`${name}.${member}`);
    else if (name === "Date" && ts.isNewExpression(use) && !use.arguments?.length) found.push("new Date()");
    else if (["Date", "Math", "crypto"].includes(name) && member === undefined && isValue(node)) found.push(name);
  });
  return found;
}

/** The name of the global that an expression refers to: `process`, or `globalThis.process`. */
function globalName(node: ts.Node, declared: ReadonlySet<string>): string | undefined {
  if (ts.isPropertyAccessExpression(node) && node.expression.getText() === "globalThis") return node.name.text;
  if (!ts.isIdentifier(node) || declared.has(node.text)) return undefined;
  const { parent } = node;
  const isLabel =
    (ts.isPropertyAccessExpression(parent) && parent.name === node) ||
    (ts.isQualifiedName(parent) && parent.right === node) ||
    ((ts.isPropertyAssignment(parent) || ts.isJsxAttribute(parent)) && parent.name === node) ||
    ((ts.isClassElement(parent) || ts.isTypeElement(parent)) && parent.name === node) ||
    ts.isExportSpecifier(parent) ||
    ts.isImportSpecifier(parent);
  return isLabel ? undefined : node.text;
}

function memberName(use: ts.Node, object: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(use) && use.expression === object) return use.name.text;
  if (ts.isElementAccessExpression(use) && use.expression === object && ts.isStringLiteral(use.argumentExpression)) {
    return use.argumentExpression.text;
  }
  return undefined;
}

function isValue(node: ts.Node): boolean {
  const use = node.parent;
  const isInstanceCheck = ts.isBinaryExpression(use) && use.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword;
  return !isInstanceCheck && !ts.isNewExpression(use) && !ts.isTypeReferenceNode(use) && !ts.isTypeQueryNode(use);
}

/** The names that a file declares itself, other than by importing: those are not the process's. */
function declaredNames({ tree }: Source): ReadonlySet<string> {
  const names = new Set<string>();
  visit(tree, (node) => {
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node);
    if (declares && node.name !== undefined && ts.isIdentifier(node.name)) names.add(node.name.text);
  });
  return names;
}
