import { assumptionTable } from "../src/service/assumption-table.ts";
import { departureOf } from "../src/kit/assumptions/departure.ts";
import { alternativesOf } from "../src/kit/assumptions/alternatives.ts";
import type { Choice, FixedAnswer } from "../src/kit/assumptions/entry.ts";
import { valuesInWords } from "../src/kit/assumptions/values-in-words.ts";

/** Renders the assumption table as a page: each question that the service document leaves open, its answer, and the values that it takes. */
export function assumptionsPage(): string {
  const entries = Object.entries(assumptionTable);
  const rows = entries.map(([id, entry]) => {
    const { question, answer } = entry;
    const byDefault = "value" in entry ? inCode(JSON.stringify(entry.value)) : "";
    const why = "because" in entry ? `: ${cell(entry.because)}` : departuresInWords(entry);
    return `| <a id="${id}"></a>\`${id}\` | ${cell(question)} | ${cell(answer)} | ${byDefault} | ${valuesInWords(entry, inCode)}${why} |`;
  });
  const changeable = entries.filter(([, { values }]) => values !== "fixed").length;
  return `# Assumptions

Look up what Centavo does where the [service document](../service.md) leaves something open, and change it.

${changeable} of the ${entries.length} answers can be changed: the rows with values. Once you know what the real service does, set the value; [\`centavo calibrate\`](../guide/calibrate.md) finds it in a recording. The other rows are fixed: Centavo answers in one way alone, and refuses a value for them (\`INVALID_ASSUMPTION\`). \`sim.assumptions.used()\` lists the assumptions that a run used:

\`\`\`ts
import { createSimulator } from "centavo";

const sim = createSimulator({ assumptions: { "checkout.lifetime": "30 minutes", "webhook.signature": "stripe" } });
\`\`\`

A team can keep its answers in one JSON file and name that instead: \`createSimulator({ assumptions: "./centavo.assumptions.json" })\`, or \`--assumptions centavo.assumptions.json\` of \`centavo run\` and \`centavo serve\`. The path is relative to the folder of the process.

| Assumption | Open question | Answer | Default | Values |
| --- | --- | --- | --- | --- |
${rows.join("\n")}

## Values to try

[\`centavo shake --vary\`](../guide/shake.md#what-your-suite-relies-on) runs a suite under each of these values, one at a time, and names the tests that rely on the default.

| Assumption | Other values |
| --- | --- |
${triedRows()}
`;
}

/** Says from which part of the document the other values of an assumption depart. */
function departuresInWords({ document, departs }: Choice): string {
  if (departs === undefined) return document === undefined ? "" : `; any other departs from part ${document}`;
  return `; ${departs.when === undefined ? "any other departs" : "some depart"} from part ${departs.part}`;
}

/** Lists the other values of each assumption that has some. */
function triedRows(): string {
  const rows = Object.entries(assumptionTable as Readonly<Record<string, Choice | FixedAnswer>>).flatMap(
    ([id, entry]) => {
      if (entry.values === "fixed") return [];
      const tried = alternativesOf(entry).map(({ value, insteadOf }) => {
        const written = inCode(cell(JSON.stringify(value)));
        const part = departureOf(entry, value);
        const departs = part === undefined ? "" : `, departs from part ${part}`;
        return `${written}${insteadOf === undefined ? "" : ` instead of ${insteadOf}`}${departs}`;
      });
      return [`| [\`${id}\`](#${id}) | ${tried.join("<br>")} |`];
    },
  );
  return rows.join("\n");
}

function inCode(text: string): string {
  return `\`${text}\``;
}

function cell(text: string): string {
  return text.replaceAll("|", String.raw`\|`);
}
