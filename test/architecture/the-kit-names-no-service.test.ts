import ts from "@typescript/typescript6";
import { describe, expect, test } from "vitest";
import { assumptionTable } from "../../src/service/assumption-table.ts";
import { errorTable } from "../../src/service/error-table.ts";
import { routesIn } from "../../src/kit/declaration/define-service.ts";
import { paymentService } from "../../src/service/service.ts";
import { parse, productSources, visit } from "./source-tree.ts";
import type { Source } from "./source-tree.ts";

const kit = /^kit\//;

const routes = routesIn(paymentService);

/** Codes that misuse of Centavo itself has too, and the credential of a route that needs none. */
const common: ReadonlySet<string> = new Set(["none", "INVALID_STATE", "NOT_FOUND"]);

/** What only the service may say: its codes, ids, names, and the fields of its own bodies. */
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

  test("says nothing of it in comments and docstrings either", () => {
    const found = productSources()
      .filter(({ path }) => kit.test(path))
      .flatMap(({ path, tree }) => wordsInComments(tree.text).map((word) => `${path}: ${word}`));
    expect(found).toEqual([]);
  });

  test.for([
    ["/** What `webhook.order` says. */", ["webhook.order"]],
    ["// such as payment_intent.succeeded", ["payment_intent.succeeded"]],
    ["/** A PaymentMethod, or a checkout. */", ["PaymentMethod", "checkout"]],
    ["/** An `invoice` in ₱. */", ["invoice", "₱"]],
    ["const path = `/events/${id}`; // the merchant's own", []],
  ] as const)("is caught with the comment %s", ([text, found]) => {
    expect(wordsInComments(text)).toEqual(found);
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
    expect(wordsOf(parse("kit/http/example.ts", text))).toEqual(found);
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

const COMMENT = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm;
/** Ids, codes and names are one word each, with dots and hyphens inside. */
const WORD = /₱|[\w-]+(?:\.[\w-]+)*/g;

/** Names of the service that no code has, but that explain nothing to a reader of another one. */
const told: ReadonlySet<string> = new Set([
  "PaymentMethod",
  "paymentMethod",
  "PaymentIntent",
  "intent",
  "intents",
  "₱",
]);
/** Words that the kit needs, too: the scheme of a header, and the language. */
const english: ReadonlySet<string> = new Set(["bearer", "PHP"]);

function wordsInComments(text: string): string[] {
  const found = [...text.matchAll(COMMENT)].flatMap(([comment]) => comment.match(WORD) ?? []);
  return found.filter((word) => told.has(word) || (words.has(word) && !english.has(word)));
}
