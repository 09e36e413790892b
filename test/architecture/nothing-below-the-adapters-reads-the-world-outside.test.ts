import { isBuiltin } from "node:module";
import ts from "@typescript/typescript6";
import { describe, expect, test } from "vitest";
import { importedModules, parse, sourcesBelowTheAdapters, visit, type Source } from "./source-tree.ts";

const forbiddenGlobals = new Set([
  "Buffer",
  "Bun",
  "Deno",
  "clearImmediate",
  "clearInterval",
  "clearTimeout",
  "document",
  "global",
  "indexedDB",
  "localStorage",
  "location",
  "navigator",
  "performance",
  "process",
  "require",
  "self",
  "sessionStorage",
  "setImmediate",
  "setInterval",
  "setTimeout",
  "window",
]);

const forbiddenMembers = new Set([
  "OriginalDate.now",
  "Math.random",
  "Temporal.Now",
  "crypto.getRandomValues",
  "crypto.randomUUID",
]);

/** Methods of dates that read the process's time zone. */
const zonedMethods =
  /^(getTimezoneOffset|toDateString|toTimeString|[gs]et(Date|Day|FullYear|Hours|Milliseconds|Minutes|Month|Seconds|Year))$/;
/** Methods that read the process's locale unless they are told another. */
const localizedMethods = new Set([
  "toLocaleDateString",
  "toLocaleLowerCase",
  "toLocaleString",
  "toLocaleTimeString",
  "toLocaleUpperCase",
]);

describe("below the adapters", () => {
  const core = sourcesBelowTheAdapters();

  test("no file reads the wall clock, chance, timers, files, the environment, its locale or time zone, or a module of Node's", () => {
    expect(core.flatMap((source) => offences(source).map((offence) => `${source.path}: ${offence}`))).toEqual([]);
  });

  test("is every folder and file of the product but those that touch the process", () => {
    const places = new Set(core.map(({ path }) => path.split("/")[0]));
    expect([...places]).toEqual(expect.arrayContaining(["kit", "service", "simulator"]));
  });

  test.for([
    ["import { createServer } from 'node:http';", "node:http"],
    ["import type { Server } from 'http';", "http"],
    ["const fs = await import('node:fs');", "node:fs"],
    ["import { http } from 'msw';", "msw"],
    ["const id = Math.random();", "Math.random"],
    ["const id = Math['random']();", "Math.random"],
    ["const { random } = Math;", "Math"],
    // A test may replace it by one that lacks its functions.
    ["const at = Date.now();", "Date"],
    ["const at = globalThis.Date.parse(text);", "Date"],
    ["const at = new Date(0);", "Date"],
    ["const at = Date();", "Date"],
    ["const at = OriginalDate.now();", "OriginalDate.now"],
    ["const at = new OriginalDate();", "new OriginalDate()"],
    ["const at = OriginalDate();", "OriginalDate"],
    ["const at = Temporal.Now.instant();", "Temporal.Now"],
    ["const id = crypto.randomUUID();", "crypto.randomUUID"],
    ["const mode = process.env.MODE;", "process"],
    ["globalThis.setTimeout(run, 5);", "setTimeout"],
    ["const later = { run: setImmediate };", "setImmediate"],
    ["const bytes = Buffer.from('');", "Buffer"],
    ["const fs = require('fs');", "require"],
    ["const text = Deno.readTextFileSync('world.json');", "Deno"],
    ["const file = Bun.file('world.json');", "Bun"],
    ["const fs = globalThis['process'].getBuiltinModule('fs');", "process"],
    ["const mode = import.meta.env.MODE;", "import.meta"],
    ["const language = navigator.language;", "navigator"],
    ["const kept = localStorage.getItem('world');", "localStorage"],
    ["const hour = at.getHours();", "getHours"],
    ["const offset = at.getTimezoneOffset();", "getTimezoneOffset"],
    ["const at = new OriginalDate(2026, 0, 1);", "new OriginalDate(…, …)"],
    ["const text = amount.toLocaleString();", "toLocaleString()"],
    ["const text = amount.toLocaleString(undefined, {});", "toLocaleString()"],
    ["const format = new Intl.NumberFormat();", "Intl.NumberFormat()"],
    ["const order = one.localeCompare(other);", "localeCompare()"],
  ] as const)("%s is found", ([text, offence]) => {
    expect(offences(parse("sample.ts", text))).toEqual([offence]);
  });

  test.for([
    "const at = new OriginalDate(0).toISOString();",
    "const at = OriginalDate.UTC(2026, 0, 1);",
    "const largest = Math.max(1, 2);",
    "const verbs = { process: () => undefined }; verbs.process();",
    "function process(): void {} process();",
    "const known = value instanceof Date; type When = Date;",
    "const hour = at.getUTCHours();",
    "const text = amount.toLocaleString('en-PH');",
    "const format = new Intl.NumberFormat('en-PH');",
    "const location = session.location;",
  ])("%s is left alone", (text) => {
    expect(offences(parse("sample.ts", text))).toEqual([]);
  });
});

function offences(source: Source): readonly string[] {
  const found = importedModules(source).filter((name) => isBuiltin(name) || /^(msw|@mswjs)(\/|$)/.test(name));
  const declared = declaredNames(source);
  visit(source.tree, (node) => {
    const setting = settingOf(node);
    if (setting !== undefined) found.push(setting);
    const name = globalName(node, declared);
    if (name === undefined) return;
    const use = node.parent;
    const member = memberName(use, node);
    if (forbiddenGlobals.has(name) || name === "globalThis[…]") found.push(name);
    else if (member !== undefined && forbiddenMembers.has(`${name}.${member}`)) found.push(`${name}.${member}`);
    else if (name === "Date" && (member !== undefined || ts.isNewExpression(use) || isValue(node))) found.push(name);
    else if (name === "OriginalDate" && ts.isNewExpression(use) && !use.arguments?.length)
      found.push("new OriginalDate()");
    else if (["OriginalDate", "Math", "crypto"].includes(name) && member === undefined && isValue(node))
      found.push(name);
  });
  return found;
}

/** What an expression reads of the environment, the locale or the time zone by its shape alone. */
function settingOf(node: ts.Node): string | undefined {
  if (ts.isMetaProperty(node)) return "import.meta";
  if (ts.isNewExpression(node) && isNamed(node.expression, "OriginalDate") && (node.arguments?.length ?? 0) > 1)
    return "new OriginalDate(…, …)";
  if (!ts.isCallExpression(node) && !ts.isNewExpression(node)) return undefined;
  const { expression } = node;
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  const method = expression.name.text;
  if (zonedMethods.test(method)) return method;
  if (localizedMethods.has(method) && isMissing(node.arguments?.[0])) return `${method}()`;
  if (method === "localeCompare" && isMissing(node.arguments?.[1])) return `${method}()`;
  return isNamed(expression.expression, "Intl") && isMissing(node.arguments?.[0]) ? `Intl.${method}()` : undefined;
}

function isNamed(expression: ts.Expression, name: string): boolean {
  return ts.isIdentifier(expression) && expression.text === name;
}

function isMissing(argument: ts.Expression | undefined): boolean {
  return argument === undefined || argument.getText() === "undefined";
}

/** The name of the global that an expression refers to: `process`, `globalThis.process` or `globalThis["process"]`. */
function globalName(node: ts.Node, declared: ReadonlySet<string>): string | undefined {
  if (ts.isElementAccessExpression(node) && isNamed(node.expression, "globalThis"))
    return ts.isStringLiteral(node.argumentExpression) ? node.argumentExpression.text : "globalThis[…]";
  if (ts.isPropertyAccessExpression(node) && isNamed(node.expression, "globalThis")) return node.name.text;
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
