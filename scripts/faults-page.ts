import { readFileSync } from "node:fs";
import { join } from "node:path";
import type * as z from "zod/mini";
import type { FaultSection, FaultText } from "../src/kit/faults/text.ts";
import { paymentService } from "../src/service/service.ts";
import { requestTexts, responseTexts } from "./faults/calls.ts";
import { clockTexts } from "./faults/clock.ts";
import { webhookTexts } from "./faults/webhooks.ts";
import { root } from "./suites.ts";

/** The sections about the faults that resources declare. The texts stand beside the declarations, in files that Centavo itself never loads. */
const sectionsOfResources = await Promise.all(
  paymentService.resources
    .filter(({ faults = [] }) => faults.length > 0)
    .map(async ({ name }) => {
      const { faultSection } = (await import(`../src/service/${name}/fault-texts.ts`)) as {
        readonly faultSection: FaultSection;
      };
      return faultSection;
    }),
);

/** The sections of the page, in order. */
export const faultSections: readonly FaultSection[] = [
  {
    title: "Before the service",
    intro:
      "These stand in front of the service, which never learns of the call. Only `request.latency` lets it through.",
    guide: "[faults.md](../guide/faults.md#faults-of-calls)",
    selectors: "../guide/faults.md#which-calls-and-how-often",
    texts: requestTexts,
  },
  {
    title: "After the service",
    intro: "These break the answer, after the service has processed the call.",
    guide: "[faults.md](../guide/faults.md#faults-of-calls)",
    selectors: "../guide/faults.md#which-calls-and-how-often",
    texts: responseTexts,
  },
  ...sectionsOfResources,
  {
    title: "Webhooks",
    intro: "These lose, repeat, forge and disorder events, spoil a delivery, or change what becomes of its answer.",
    guide: "[faults.md](../guide/faults.md#faults-of-webhooks)",
    selectors: "../guide/faults.md#faults-of-webhooks",
    texts: webhookTexts,
  },
  {
    title: "The clock",
    intro: "This makes the service's clock wrong.",
    guide: "[faults.md](../guide/faults.md#when-the-clock-is-wrong)",
    selectors: "../guide/faults.md#when-the-clock-is-wrong",
    texts: clockTexts,
  },
];

/** What the page says of each kind. */
export const faultTexts: Readonly<Record<string, FaultText>> = Object.fromEntries(
  faultSections.flatMap(({ texts }) => Object.entries(texts)),
);

interface DeclaredKind {
  readonly kind: string;
  /** Its own fields, and whether each has to be given. */
  readonly fields: readonly { readonly name: string; readonly isRequired: boolean; readonly schema: z.ZodMiniType }[];
  readonly selectors: readonly string[];
}

/** Every kind, as it is declared. */
export const declaredKinds: readonly DeclaredKind[] = paymentService.knownFaults.families.flatMap(
  ({ kinds, selectors }) =>
    kinds.map(({ kind, fields }) => ({
      kind,
      fields: Object.entries(fields as Record<string, z.ZodMiniType>).map(([name, schema]) => ({
        name,
        isRequired: !schema.safeParse(undefined).success,
        schema,
      })),
      selectors: Object.keys(selectors),
    })),
);

/** Renders every kind of fault as a section, with the test that plans it. */
export function faultsPage(): string {
  const texts = faultSections.map((section) => {
    const { title, intro, guide, selectors } = section;
    const kinds = kindsOf(section);
    return [
      `## ${title}`,
      `${intro} ${guide} tells more. Besides its own options, each takes ${(kinds[0]?.selectors ?? []).map((name) => `\`${name}\``).join(", ")}, which say [what it concerns](${selectors}), and the fields that say [how often and when](../guide/faults.md#which-calls-and-how-often) it strikes.`,
      ...kinds.map((kind) => sectionOf(kind)),
    ].join("\n\n");
  });
  return `# Every fault

Look up a fault: what it does, when it hurts, a test that plans it, and what your code should do. [The guide](../guide/faults.md#every-fault) lists all of them in one table.

${texts.join("\n\n")}
`;
}

/** Renders the guide to faults, with the table of all kinds between its two marks. */
export function faultsGuide(): string {
  const rows = faultSections
    .flatMap(kindsOf)
    .map(({ kind }) => [`[\`${kind}\`](../reference/faults.md#${anchorOf(kind)})`, textOf(kind).does]);
  const table = tableOf(["Fault", "What it does"], rows);
  return readFileSync(join(root, "docs/guide/faults.md"), "utf8").replace(
    /(?<=<!-- every fault: .*-->\n\n).*?(?=\n\n<!-- end of every fault -->)/s,
    () => table,
  );
}

/** Returns the kinds of a section, in the order in which they are declared. */
function kindsOf({ texts }: FaultSection): readonly DeclaredKind[] {
  return declaredKinds.filter(({ kind }) => Object.hasOwn(texts, kind));
}

/** Writes a table as the formatter wants it. */
function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? "")].map((cell) => cell.length)),
  );
  const lineOf = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  return [lineOf(head), lineOf(widths.map((width) => "-".repeat(width))), ...rows.map(lineOf)].join("\n");
}

/** Returns the text of a kind. The compiler asks for those of the kit and of each resource, in the files of `texts`. */
export function textOf(kind: string): FaultText {
  const text = faultTexts[kind];
  if (text === undefined) throw new Error(`No section has a text of the fault ${kind}.`);
  return text;
}

function sectionOf({ kind, fields }: DeclaredKind): string {
  const text = textOf(kind);
  const rows = fields.map(
    ({ name, isRequired }) => `| \`${name}\` | ${isRequired ? "yes" : "no"} | ${text.fields[name] ?? ""} |`,
  );
  return [
    `### ${kind}`,
    `**${text.does}** ${text.hurts}`,
    `\`\`\`ts\n${testOf(kind)}\`\`\``,
    ...(rows.length === 0 ? [] : [`| Option | Required | What it takes |\n| --- | --- | --- |\n${rows.join("\n")}`]),
    `- **You see:** ${text.sees}\n- **Your code should:** ${text.should}${text.links === undefined ? "" : `\n- **More:** ${text.links}`}`,
  ].join("\n\n");
}

/** Writes the test of a kind, as people write it. */
export function testOf(kind: string): string {
  const { options, example } = textOf(kind);
  const { title, before, after, imports, strikes } = example;
  const isAwaited = after.includes("fault.");
  const fault = written({ kind, ...options, ...(strikes === undefined && { times: 1 }) });
  const lines = [
    ...(before === undefined ? [] : [before]),
    `${isAwaited ? "const fault = " : ""}sim.faults.add(${fault});\n`,
    after,
  ].join("\n");
  return `import { withSimulator } from "centavo/vitest";
${imports === undefined ? "" : `${imports}\n`}import { expect, test as base } from "vitest";

const test = withSimulator(base, { webhookUrl: "https://shop.example/hooks" });

test("${title}", async ({ sim, client }) => {
${lines.replaceAll(/^(?=.)/gm, "  ")}
});
`;
}

/** Writes an object as people write it in a test. */
export function written(fields: Readonly<Record<string, unknown>>): string {
  return `{ ${Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ")} }`;
}

function anchorOf(kind: string): string {
  return kind.replaceAll(".", "");
}
