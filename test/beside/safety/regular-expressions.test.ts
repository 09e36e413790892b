import ts from "@typescript/typescript6";
import { checkSync } from "recheck";
import { describe, expect, test } from "vitest";
import { productSources } from "../../architecture/source-tree.ts";
import { CARD_NUMBERS } from "../../../src/kit/base/redaction/card-number.ts";
import { ISO_8601 } from "../../../src/service/iso-8601.ts";
import { HTTP_DATES } from "../../../src/kit/webhooks/retry-after.ts";
import { growthOf, MOST_GROWTH } from "../../safety/growth.ts";

interface Found {
  readonly file: string;
  readonly expression: RegExp;
}

/** What the sources build of texts at run time, by file: the worst that they build, or all that differ. */
const built: Readonly<Record<string, readonly RegExp[]>> = {
  // Those of the user, for another copy of the module.
  "adapters/network/block-network.ts": [],
  "kit/engine/journal.ts": [/https:\/\/api\.pay\.example(?![\w.:@-])/g, /127\.0\.0\.1(?![\w.:@-])/g],
  "kit/base/redaction/card-number.ts": CARD_NUMBERS,
  "service/iso-8601.ts": [ISO_8601],
  "kit/webhooks/retry-after.ts": HTTP_DATES,
  // Each shape of a secret is a literal of the service, too.
  "kit/base/redaction/redaction.ts": [
    /(whsec_[\w+/=-]{8,})|(ck_fake_[\w+/=-]{8,})|(?:Basic|Bearer)\s+(?:\[redacted\]|[\w+/=.~-]{8,})/gi,
    /(?<=[/=])(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/gi,
  ],
};

/** Hundreds of texts are tried on each expression, so they are shorter than a request may be. Quadratic work on them still takes seconds. */
const SHORT = 16 * 1024;

/** Every proof but one ends in less than half of this, and that one takes ten times as long: a slow machine comes to the same verdicts. Milliseconds. */
const LONGEST_PROOF = 5000;

const literals: Found[] = [];
const builders = new Set<string>();
for (const { path, tree } of productSources()) {
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      literals.push({ file: path, expression: new RegExp(node.text.slice(1, end), node.text.slice(end + 1)) });
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === "RegExp")
      builders.add(path);
    ts.forEachChild(node, visit);
  };
  visit(tree);
}
const all = literals.concat(
  Object.entries(built).flatMap(([file, expressions]) => expressions.map((expression) => ({ file, expression }))),
);
/** Each expression once, whichever files have it. */
const found = [...new Map(all.map((each) => [String(each.expression), each])).values()];

test("every file that builds regular expressions has its worst ones here", () => {
  expect([...builders].toSorted()).toEqual(Object.keys(built).toSorted());
  expect(literals.length).toBeGreaterThan(80);
});

/** What may repeat in a text that almost matches: every sign and word of the expression itself, pairs of them, and a few signs of each class. */
function pumpsOf({ source }: RegExp): string[] {
  const words = source.replaceAll(/\\[a-zA-Z]|[\\^$()[\]{}?*|]/g, " ").split(" ");
  const signs = [...new Set(Array.from(`${words.join("")}aZ09_-. \n\u00e9`))];
  const parts = [...new Set([...words.filter((word) => word.length > 1), ...signs])];
  return [...parts, ...words.filter((word) => word.length > 1).flatMap((word) => signs.map((sign) => word + sign))];
}

describe("work on a text grows no faster than the text", () => {
  test.each(found)("with $expression of $file", async ({ expression }) => {
    const verdict = checkSync(expression.source, expression.flags, { timeout: LONGEST_PROOF, randomSeed: 1 });
    // An automaton proves it; the search for a slow text, which stands in where there is none, may guess wrong either way.
    if (verdict.checker === "automaton" && verdict.status !== "unknown") {
      expect(verdict).toMatchObject({ status: "safe" });
      return;
    }
    const pumps = pumpsOf(expression);
    if (verdict.status === "vulnerable") pumps.push(...verdict.attack.pumps.map(({ pump }) => pump));
    for (const pump of pumps) {
      const growth = await growthOf((length) => {
        const text = `${pump.repeat(Math.ceil(length / pump.length))}\0`;
        return () => text.replaceAll(new RegExp(expression, `${expression.flags.replace("g", "")}g`), "");
      }, SHORT);
      expect(growth, `of ${JSON.stringify(pump)}`).toBeLessThan(MOST_GROWTH);
    }
  });
});
