import type { Coverage, Gap } from "./coverage.ts";
import { moveWithInput, ofResource, parts } from "./happenings.ts";
import { machines } from "./machines.ts";
import type { Machine } from "./machines.ts";
import { TITLES } from "./table.ts";

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 60rem; padding: 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.3rem 0.6rem; border-bottom: 1px solid #8886; }
td.number { text-align: right; white-space: nowrap; }
meter { width: 8rem; }
figure { margin: 2rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
pre { overflow-x: auto; padding: 0.5rem 1rem; background: #8882; border-radius: 4px; }
li { margin: 0.5rem 0; }
`;

/** How much of an untouched part of a diagram is left to see. */
const GREY = "{ opacity: 0.25 }";

/**
 * Writes coverage as one HTML document, which loads nothing: how much was seen, the machines with what was never seen in grey, and what was
 * never tested, with the lines that would.
 * @param diagrams the machines as SVG, by name
 */
export function coverageHtml(coverage: Coverage, diagrams: Readonly<Record<string, string>>): string {
  const grey = machines.flatMap((machine) => untouched(machine, coverage));
  const style = `${STYLE}${grey.length === 0 ? "" : `${grey.map((id) => `#${id}`).join(", ")} ${GREY}\n`}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Coverage of the payment service</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Coverage of the payment service</h1>
<table>
<thead><tr><th scope="col">Part</th><th scope="col">Seen</th><th scope="col">Share</th></tr></thead>
<tbody>
${parts.map((part) => rowOf(TITLES[part], coverage[part])).join("\n")}
</tbody>
</table>
<h2>Machines</h2>
<p>What was never seen is grey.</p>
${machines.map(({ name }) => `<figure><figcaption>${name.replaceAll("_", " ")}</figcaption>${diagrams[name] ?? ""}</figure>`).join("\n")}
<h2>You never tested</h2>
<ul>
${coverage.neverTested.map(itemOf).join("\n")}
</ul>
</main>
</body>
</html>
`;
}

/** Returns the names of the parts of a machine's diagram that were never seen. */
function untouched(
  { name, initial, states, moves }: Machine,
  { states: seen, moves: made }: Coverage,
): readonly string[] {
  const isSeen = (state: string): boolean => seen.seen.includes(ofResource(name, state));
  const isMade = new Set(moves.filter((move) => made.seen.includes(moveWithInput(move))));
  const lines = new Set(moves.map(({ from, to }) => `${from}-${to}`));
  const madeLines = new Set([...isMade].map(({ from, to }) => `${from}-${to}`));
  return [
    ...states.filter((state) => !isSeen(state)),
    ...(isSeen(initial) ? [] : ["start", `start-${initial}`]),
    ...[...lines].filter((line) => !madeLines.has(line)),
    // The words of a line that is grey already would be grey twice.
    ...moves
      .filter((move) => !isMade.has(move) && madeLines.has(`${move.from}-${move.to}`))
      .map(({ from, input, to }) => `${from}-${input}-${to}`),
  ].map((id) => `${name}-${id}`);
}

function rowOf(title: string, { seen, missing, percent }: Coverage["states"]): string {
  const all = seen.length + missing.length;
  return `<tr><th scope="row">${title}</th><td class="number">${seen.length} of ${all}</td><td><meter min="0" max="100" value="${percent}" aria-label="${title}"></meter> ${percent} %</td></tr>`;
}

function itemOf({ what, lines }: Gap): string {
  return `<li>${escaped(what)}${lines === undefined ? "" : `<pre>${escaped(lines)}</pre>`}</li>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
