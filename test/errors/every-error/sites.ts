import ts from "@typescript/typescript6";
import { productSources, visit } from "../../architecture/source-tree.ts";
import type { Source } from "../../architecture/source-tree.ts";

/** A place of the product that makes an error. */
export interface Site {
  /** `file:line`, as a stack names it. */
  readonly place: string;
  /** The file and the function around it, which stay the same when lines move. */
  readonly within: string;
}

const errors: ReadonlySet<string> = new Set(["CentavoError", "Unexaminable", "ServiceError"]);

/**
 * Every place that makes an error: each `new CentavoError(…)`, and each call of a function that returns one, because such a function
 * gets the words of many errors.
 */
export function sitesOfErrors(): readonly Site[] {
  const sources = productSources();
  const makers = new Map(sources.map((source) => [source.path, makersIn(source)]));
  const sites = sources.flatMap((source) => sitesIn(source, makersKnownTo(source, makers)));
  return [...new Map(sites.map((site) => [site.place, site])).values()];
}

/** The places on the stack of an error. */
export function placesOf({ stack = "" }: Error): readonly string[] {
  return [...stack.matchAll(/\/src\/([^:()\s]+:\d+):\d+/g)].map(([, place = ""]) => place);
}

function sitesIn({ path, tree }: Source, makers: ReadonlySet<string>): readonly Site[] {
  const found: Site[] = [];
  const add = (node: ts.Node): void => {
    const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree));
    found.push({ place: `${path}:${line + 1}`, within: `${path} ${nameAround(node, tree)}` });
  };
  visit(tree, (node) => {
    if (ts.isNewExpression(node) && errors.has(node.expression.getText(tree))) add(node);
    if (!ts.isCallExpression(node)) return;
    const { expression } = node;
    if (ts.isIdentifier(expression) && makers.has(expression.text)) add(expression);
    const isOwn = ts.isPropertyAccessExpression(expression) && expression.expression.kind === ts.SyntaxKind.ThisKeyword;
    if (isOwn && makers.has(expression.name.text)) add(expression.name);
  });
  return found;
}

/** The functions and methods of a file that return a new error. */
function makersIn({ tree }: Source): ReadonlySet<string> {
  const found = new Set<string>();
  visit(tree, (node) => {
    if (!ts.isFunctionLike(node) || node.type?.getText(tree) !== "CentavoError") return;
    const name = nameOf(node, tree);
    if (name !== undefined) found.add(name);
  });
  return found;
}

/** The makers of a file's own, and those that it imports, by the names that it gives them. */
function makersKnownTo({ path, tree }: Source, makers: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const known = new Set(makers.get(path));
  for (const statement of tree.statements) {
    if (!ts.isImportDeclaration(statement) || !ts.isStringLiteral(statement.moduleSpecifier)) continue;
    const from = new URL(statement.moduleSpecifier.text, `file:///${path}`).pathname.slice(1);
    const bindings = statement.importClause?.namedBindings;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    for (const { name, propertyName } of bindings.elements) {
      if (makers.get(from)?.has((propertyName ?? name).text) === true) known.add(name.text);
    }
  }
  return known;
}

function nameAround(node: ts.Node, tree: ts.SourceFile): string {
  for (let around = node.parent; around !== undefined; around = around.parent) {
    const name = ts.isFunctionLike(around) ? nameOf(around, tree) : undefined;
    if (name !== undefined) return name;
  }
  return "";
}

function nameOf(node: ts.SignatureDeclaration, tree: ts.SourceFile): string | undefined {
  if (ts.isConstructorDeclaration(node)) return "constructor";
  return (ts.isArrowFunction(node) && ts.isVariableDeclaration(node.parent) ? node.parent : node).name?.getText(tree);
}
