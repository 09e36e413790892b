import ts from "@typescript/typescript6";
import { describe, expect, test } from "vitest";
import { assumptionTable } from "../../src/service/assumption-table.ts";
import { errorTable } from "../../src/service/error-table.ts";
import { routesIn } from "../../src/declaration/service.ts";
import { paymentService } from "../../src/service/service.ts";
import { parse, productSources, visit } from "./source-tree.ts";
import type { Source } from "./source-tree.ts";

const kit = /^(?:declaration|http|webhooks|receivers|faults|assumptions|engine|runtime|redaction|errors)\//;

const routes = routesIn(paymentService);

/** Codes that misuse of Centavo itself has too, and the credential of a route that needs none. */
const common: ReadonlySet<string> = new Set(["none", "INVALID_STATE", "NOT_FOUND"]);

/** What only the service may say: its codes, ids, names, and the fields that a body of its own has. */
const words: ReadonlySet<string> = new Set(
  [
    ...Object.keys(errorTable),
    ...Object.keys(assumptionTable),
    ...routes.map(({ name }) => name),
    // The well-known addresses are those of RFC 8414.
    ...routes.flatMap(({ path }) => (path.startsWith("/.well-known/") ? [] : [path])),
    ...routes.map(({ credential }) => credential),
    ...paymentService.resources.flatMap(({ events }) => events?.announced ?? []),
    ...paymentService.resources.flatMap(({ lifecycles }) => lifecycles.map(({ lifecycle }) => lifecycle.name)),
    "paymentMethodId",
    "clientKey",
    "x-admin-key",
    "attributes",
    "validation_error",
    "PHP",
  ].filter((word) => !common.has(word)),
);

describe("the kit", () => {
  test("names nothing of the service that stands on it", () => {
    const found = productSources()
      .filter(({ path }) => kit.test(path))
      .flatMap((source) => wordsOf(source).map((word) => `${source.path}: ${word}`));
    expect(found).toEqual([]);
  });

  test.for([
    ['throw new ApiError("BODY_TOO_LARGE");', ["BODY_TOO_LARGE"]],
    ['assumptions.value("http.idempotency-key");', ["http.idempotency-key"]],
    ["const { paymentMethodId } = fields;", ["paymentMethodId"]],
    ["const body = { success: true, data };", ["{ success: true }"]],
    ["const price = `₱${amount}`;", ["₱"]],
    ["const path = `/pay/${token}`;", []],
    ['throw new CentavoError("NOT_FOUND", "There is no such event.");', []],
  ] as const)("is caught with %s", ([text, found]) => {
    expect(wordsOf(parse("http/example.ts", text))).toEqual(found);
  });
});

function wordsOf({ tree }: Source): string[] {
  const found: string[] = [];
  visit(tree, (node) => {
    if (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) {
      if (words.has(node.text)) found.push(node.text);
    }
    if ((ts.isStringLiteralLike(node) || ts.isTemplateHead(node)) && node.text.includes("₱")) found.push("₱");
    if (
      ts.isPropertyAssignment(node) &&
      node.name.getText(tree) === "success" &&
      [ts.SyntaxKind.TrueKeyword, ts.SyntaxKind.FalseKeyword].includes(node.initializer.kind)
    )
      found.push(`{ ${node.getText(tree)} }`);
  });
  return found;
}
