import ts from "@typescript/typescript6";
import { describe, expect, test } from "vitest";
import { parse, sourcesBelowTheAdapters, visit, type Source } from "./source-tree.ts";

/**
 * The exceptions, which files keep for the whole process. Each is a bounded memory of a pure function, or of an object that the test
 * owns: it changes how long an answer takes, and nothing else. Coverage remembers what a bounded journal has forgotten. What apps were sent is the exception, because apps outlive simulators: it
 * leads to a warning that no digest has.
 */
const memories: ReadonlySet<string> = new Set([
  "report/coverage/of-simulator.ts: followed.set",
  "kit/receivers/merchant-app.ts: initialised.set",
  "kit/receivers/sent-events.ts: ofApps.set",
  "kit/receivers/sent-events.ts: ofOrigins.set",
  "service/auth/access-token.ts: signers.set",
]);

/** Methods that change a collection, a typed array or a date in place. */
const changing =
  /^(add|clear|copyWithin|delete|fill|pop|push|reverse|set|shift|sort|splice|unshift|append|set(UTC)?[A-Z]\w*)$/;
const assigning = new Set([
  "Object.assign",
  "Object.defineProperties",
  "Object.defineProperty",
  "Object.setPrototypeOf",
  "Reflect.defineProperty",
  "Reflect.deleteProperty",
  "Reflect.set",
]);

describe("below the adapters", () => {
  const found = sourcesBelowTheAdapters().flatMap((source) =>
    changesOf(source).map((change) => `${source.path}: ${change}`),
  );

  test("no file changes anything that outlives a simulator", () => {
    expect(found.filter((change) => !memories.has(change))).toEqual([]);
  });

  test("the memories that are allowed are still there", () => {
    expect([...memories].filter((memory) => !found.includes(memory))).toEqual([]);
  });

  test.for([
    ["let count = 0;", "let count"],
    ["export let count = 0;", "let count"],
    ["var count = 0;", "var count"],
    ["const seen = new Set(); export function see(id: string) { seen.add(id); }", "seen.add"],
    ["const cache = new Map(); function keep() { cache.set('a', 1); }", "cache.set"],
    ["const list: string[] = []; const keep = () => list.push('a');", "list.push"],
    ["const state = { count: 0 }; function next() { return (state.count += 1); }", "state.count"],
    ["const state = { count: 0 }; function next() { return state.count++; }", "state.count"],
    ["const state = { deep: { count: 0 } }; function next() { state.deep.count = 1; }", "state.deep.count"],
    ["const known: Record<string, number> = {}; function keep() { known['a'] = 1; }", "known['a']"],
    ["const known: Record<string, number> = {}; function lose() { delete known.a; }", "known.a"],
    ["const known = {}; function keep() { Object.assign(known, { a: 1 }); }", "Object.assign(known)"],
    ["import { table } from './table.ts'; table.set('a', 1);", "table.set"],
    ["globalThis.centavo = 1;", "globalThis.centavo"],
    ["Object.defineProperty(globalThis, 'centavo', {});", "Object.defineProperty(globalThis)"],
    ["Reflect.set(Date, 'now', () => 0);", "Reflect.set(Date)"],
    ["Array.prototype.last = () => 0;", "Array.prototype.last"],
    ["class Worlds { static count = 0; }", "static count"],
    ["class Worlds { static #count = 0; }", "static #count"],
    ["class Worlds { static readonly known = new Map(); keep() { Worlds.known.set('a', 1); } }", "Worlds.known.set"],
  ] as const)("%s is found", ([text, change]) => {
    expect(changesOf(parse("sample.ts", text))).toEqual([change]);
  });

  test.for([
    "const names = new Set(['a']); names.has('a');",
    "function once() { let count = 0; count += 1; const seen = new Set(); seen.add(count); return seen; }",
    "const seen = new Set(); function see(seen: Set<string>) { seen.add('a'); }",
    "class World { #count = 0; static readonly NAME = 'world'; next() { this.#count += 1; } }",
    "const base = { a: 1 }; const other = Object.assign({}, base);",
    "const sorted = names.toSorted();",
  ])("%s is left alone", (text) => {
    expect(changesOf(parse("sample.ts", text))).toEqual([]);
  });
});

/** What a file changes of its own or another file's top level, or of the process's globals. */
function changesOf({ tree }: Source): readonly string[] {
  const found: string[] = [];
  for (const statement of tree.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const { flags, declarations } = statement.declarationList;
    if ((flags & ts.NodeFlags.Const) !== 0) continue;
    const word = (flags & ts.NodeFlags.Let) === 0 ? "var" : "let";
    found.push(...declarations.map(({ name }) => `${word} ${name.getText()}`));
  }
  visit(tree, (node) => {
    if (ts.isPropertyDeclaration(node) && hasModifier(node, ts.SyntaxKind.StaticKeyword)) {
      if (!hasModifier(node, ts.SyntaxKind.ReadonlyKeyword)) found.push(`static ${node.name.getText()}`);
    }
    const target = changedBy(node);
    if (target !== undefined && outlivesSimulators(target)) found.push(describeChange(node, target));
  });
  return found;
}

/** The expression whose value a node changes in place. */
function changedBy(node: ts.Node): ts.Expression | undefined {
  if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) return asPlace(node.left);
  if (ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) {
    const counts = node.operator === ts.SyntaxKind.PlusPlusToken || node.operator === ts.SyntaxKind.MinusMinusToken;
    return counts ? asPlace(node.operand) : undefined;
  }
  if (ts.isDeleteExpression(node)) return asPlace(node.expression);
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  if (assigning.has(node.expression.getText())) return node.arguments[0];
  return changing.test(node.expression.name.text) ? node.expression.expression : undefined;
}

/** A whole variable is a `let`, which is found where it is declared. */
function asPlace(expression: ts.Expression): ts.Expression | undefined {
  return ts.isPropertyAccessExpression(expression) || ts.isElementAccessExpression(expression) ? expression : undefined;
}

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** Whether what an expression begins with belongs to a file or to the process, and not to a function, an object or a class instance. */
function outlivesSimulators(expression: ts.Expression): boolean {
  let root: ts.Expression = expression;
  while (ts.isPropertyAccessExpression(root) || ts.isElementAccessExpression(root) || ts.isNonNullExpression(root))
    root = root.expression;
  return ts.isIdentifier(root) && !isLocal(root);
}

/** Whether a name is declared in a function or block around its use. */
function isLocal(name: ts.Identifier): boolean {
  for (
    let scope: ts.Node | undefined = name.parent;
    scope !== undefined && !ts.isSourceFile(scope);
    scope = scope.parent
  ) {
    if (!ts.isFunctionLike(scope) && !ts.isBlock(scope) && !ts.isForOfStatement(scope) && !ts.isForStatement(scope))
      continue;
    let declares = false;
    visit(scope, (node) => {
      const names = ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node);
      if (names && ts.isIdentifier(node.name) && node.name.text === name.text) declares = true;
    });
    if (declares) return true;
  }
  return false;
}

function hasModifier(node: ts.PropertyDeclaration, kind: ts.SyntaxKind): boolean {
  return node.modifiers?.some((modifier) => modifier.kind === kind) ?? false;
}

function describeChange(node: ts.Node, target: ts.Expression): string {
  if (!ts.isCallExpression(node)) return target.getText();
  const call = node.expression.getText();
  return assigning.has(call) ? `${call}(${target.getText()})` : call;
}
