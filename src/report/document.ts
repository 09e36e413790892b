import { script, scriptHash, style, styleHash, version } from "./built-page.ts";
import { serviceParts } from "./reported-coverage.ts";
import type { ReportedRun, ReportedRuns, ShakeWithRuns, VariationsWithRuns } from "./reported-run.ts";
import { titleOfShake } from "./reported-shake.ts";
import { titleOfVariations } from "./reported-variations.ts";

/** What a document is about, besides its runs. */
interface About {
  /** The kinds of resource that coverage counts; all by default. */
  readonly resources?: readonly string[];
  /** The shake whose findings the runs show. */
  readonly shake?: ShakeWithRuns;
  /** The suite under other answers whose reliances the runs show. */
  readonly variations?: VariationsWithRuns;
}

/**
 * Returns the page of these runs: one document that loads nothing. Its policy allows only our own script, by hash, so that no text of a run
 * can run as a script.
 */
export function documentOf(runs: readonly ReportedRun[], { resources, shake, variations }: About = {}): string {
  const first = runs.find(({ outcome }) => outcome === "failed") ?? runs[0];
  const service = runs.some(({ coverage }) => coverage !== undefined) ? serviceParts(resources) : [];
  const title = shake ? titleOfShake(shake) : variations ? titleOfVariations(variations) : titleOf(first);
  const given: ReportedRuns = { version, service, runs, ...(shake && { shake }), ...(variations && { variations }) };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '${scriptHash}'; style-src '${styleHash}'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escaped(title)} · Centavo report</title>
<style>${style}</style>
</head>
<body>
<div id="report"><p>${escaped(title)}. This report needs JavaScript, and nothing from the network.</p></div>
<script type="application/json" id="runs">${jsonInScript(given)}</script>
<script>${script}</script>
</body>
</html>
`;
}

function titleOf({ outcome, title }: Partial<ReportedRun> = {}): string {
  return `${outcome === undefined ? "" : `${outcome}: `}${title ?? "Centavo"}`;
}

/** Writes JSON that no HTML parser mistakes for markup, whatever its texts contain. */
function jsonInScript(value: unknown): string {
  return JSON.stringify(value).replaceAll(/[<>&\u2028\u2029]/g, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0");
    return String.raw`\u${code}`;
  });
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
