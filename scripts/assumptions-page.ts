import { z } from "zod";
import { assumptionTable } from "../src/service/assumption-table.ts";

interface ValueSchema {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly ValueSchema[];
  readonly type?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly items?: ValueSchema;
}

/** Renders the assumption table as a page: each question that the service document leaves open, its answer, and the values that it takes. */
export function assumptionsPage(): string {
  const rows = Object.entries(assumptionTable).map(([id, { question, answer, values, value }]) => {
    const schema = z.toJSONSchema(values, { unrepresentable: "any" }) as ValueSchema;
    return `| <a id="${id}"></a>\`${id}\` | ${cell(question)} | ${cell(answer)} | ${inCode(JSON.stringify(value))} | ${valuesOf(schema)} |`;
  });
  return `# Assumptions

What the [service document](../service.md) leaves open, and what Centavo answers. \`npm run docs\` writes this page from \`src/service/assumptions\`.

Once you know what the real service does, change the answer. \`sim.assumptions.used()\` lists the assumptions that a run used:

\`\`\`ts
import { createSimulator } from "centavo";

const sim = createSimulator({ assumptions: { "checkout.lifetime": "30 minutes", "webhook.signature": "stripe" } });
\`\`\`

| Assumption | Open question | Answer | Default | Values |
| --- | --- | --- | --- | --- |
${rows.join("\n")}
`;
}

function valuesOf(schema: ValueSchema): string {
  const { const: only, enum: choices, anyOf, type, properties, items, minimum, maximum } = schema;
  if (only !== undefined) return inCode(JSON.stringify(only));
  if (choices !== undefined) return choices.map((choice) => inCode(JSON.stringify(choice))).join(", ");
  if (anyOf !== undefined) return anyOf.map(valuesOf).join(", ");
  if (properties !== undefined) {
    return `an object of ${Object.entries(properties)
      .map(([name, property]) => `${inCode(name)} (${valuesOf(property)})`)
      .join(", ")}`;
  }
  if (items !== undefined) return "a list of texts";
  if (type === "string") return schema.pattern === undefined ? 'a length of time, such as `"30 minutes"`' : "a text";
  return `${type === "integer" ? "a whole number" : "a number"}${minimum === undefined ? "" : ` from ${minimum}`}${maximum === undefined || maximum > 1e9 ? "" : ` to ${maximum}`}`;
}

function inCode(text: string): string {
  return `\`${text}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", String.raw`\|`);
}
