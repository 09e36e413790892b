import { assumptionTable } from "../../src/service/assumption-table.ts";
import type { Choice, FixedAnswer } from "../../src/kit/assumptions/entry.ts";
import { endpoints } from "./endpoints.ts";
import { documentedErrors, events, limits, ownErrors } from "./errors.ts";
import { shapes } from "./fields.ts";
import { gaps } from "./gaps.ts";
import { lifecycles } from "./lifecycles.ts";
import { promises } from "./promises.ts";
import { assumed } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

type Line = readonly [Verdict, ...string[]];

/** The conformance table as a page to read. */
export function conformancePage(): string {
  const verdicts: Verdict[] = [];
  const table = (heads: readonly string[], lines: readonly Line[]): string => {
    const rows = lines.map(([verdict, ...cells]) => {
      verdicts.push(verdict);
      return row([...cells, words(verdict)]);
    });
    return [row([...heads, "Stands on"]), row([...heads, ""].map(() => "---")), ...rows].join("\n");
  };
  const sections = [
    "## Endpoints (4, 5)",
    table(
      ["Part", "Endpoint", "Query parameters", "Credential"],
      endpoints.map(({ part, method, path, query = [], credential = "not shown", verdict }) => [
        verdict,
        part,
        `\`${method} ${path}\``,
        query.map(code).join(", "),
        credential,
      ]),
    ),
    "## Fields (2, 4, 6)",
    ...shapes.flatMap(({ part, title, fields }) => [
      `### ${title} (${part})`,
      table(
        ["Field", "Type", "Required"],
        fields
          .filter(({ shownElsewhere }) => shownElsewhere === undefined)
          .map(({ path, type, like, required, verdict }) => [
            verdict,
            code(path),
            like === undefined ? type : `${type}: see ${like}`,
            required === undefined ? "not shown" : required ? "yes" : "no",
          ]),
      ),
    ]),
    "## Statuses and moves (3)",
    ...lifecycles.flatMap(({ part, resource, statuses, moves }) => [
      `### ${resource} (${part})`,
      table(
        ["Status"],
        statuses.map(({ word, shownOnly, verdict }) => [
          verdict,
          shownOnly === undefined ? code(word) : `${code(word)}, ${shownOnly}`,
        ]),
      ),
      table(
        ["From", "To"],
        moves.map(({ from, to, verdict }) => [verdict, code(from), code(to)]),
      ),
    ]),
    "## Events (6)",
    table(
      ["Source", "Event"],
      events.map(({ source, event, verdict }) => [verdict, source, code(event.endsWith(".") ? `${event}…` : event)]),
    ),
    "## Errors (7)",
    table(
      ["Error", "Code in Centavo"],
      [
        ...documentedErrors.map(({ label, code: name, verdict }): Line => [verdict, label, code(name)]),
        ...Object.entries(ownErrors).map(([name, id]): Line => [assumed(id), "not in the document", code(name)]),
      ],
    ),
    "## Limits (8)",
    table(
      ["Limit", "Value"],
      limits.map(({ limit, value, verdict }) => [verdict, limit, value]),
    ),
    "## Promises (1, 2, 3, 5, 6)",
    table(
      ["Part", "Promise"],
      promises.map(({ part, promise, verdict }) => [verdict, part, promise]),
    ),
    "## Departures",
    "The real service may answer otherwise than the document says. Some values of these assumptions do so, too, and `sim.assumptions.used()` then says `departsFrom`.",
    departures(),
    "## Gaps",
    table(
      ["Part", "Open question"],
      gaps.map(({ part, question, verdict }) => [verdict, part ?? "not raised", question]),
    ),
  ];
  return `${[...introduction(verdicts), ...sections].join("\n\n")}\n`;
}

function introduction(verdicts: readonly Verdict[]): string[] {
  const supported = verdicts.filter((verdict) => verdict === "supported").length;
  return [
    "# Conformance to the service document",
    "Every endpoint, field, status, move, event, error, limit, promise and open question of the [service document](../service.md), and what Centavo makes of it. " +
      "Tests compare each row with the routes, schemas and machines, both ways.",
    `Of ${verdicts.length} rows, ${supported} are supported as the document has them. The other ${verdicts.length - supported} rest on named [assumptions](assumptions.md), ` +
      "which `createSimulator({ assumptions })` can change where they have other values.",
  ];
}

/** Lists the assumptions with values that depart from what the document itself says. */
function departures(): string {
  const rows = Object.entries(assumptionTable as Readonly<Record<string, Choice | FixedAnswer>>).flatMap(
    ([id, entry]) => {
      const { document, departs } = entry.values === "fixed" ? {} : entry;
      const part = departs?.part ?? document;
      if (part === undefined) return [];
      const which = departs?.when === undefined ? "All but the default" : "Some";
      return [row([`[\`${id}\`](assumptions.md#${id})`, which, `depart from part ${part}`])];
    },
  );
  return [row(["Assumption", "Values", "What they do"]), row(["---", "---", "---"]), ...rows].join("\n");
}

function words(verdict: Verdict): string {
  return verdict === "supported" ? "supported" : `assumed: ${verdict.assumed.map(code).join(", ")}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
