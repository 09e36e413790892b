import { printable } from "../kit/base/errors/printable.ts";
import type { Calibration } from "./calibration.ts";
import { calibrationInWords } from "./in-words.ts";
import type { CheckedFile } from "./in-words.ts";

const STYLE =
  "body{font:1rem/1.5 system-ui,sans-serif;margin:2rem auto;max-width:60rem;padding:0 1rem;color-scheme:light dark}h2{font-size:1.1rem;margin-top:2rem}li{overflow-wrap:anywhere}pre{white-space:pre-wrap;overflow-wrap:anywhere}";

/**
 * Returns a calibration as one HTML document, which loads nothing and holds no secret.
 * @param checked the file that it is compared with
 */
export function pageOfCalibration(calibration: Calibration, checked?: CheckedFile): string {
  const sections = calibrationInWords(calibration, checked).map(
    ({ title, lines }) =>
      `<section><h2>${escaped(title)}</h2>${lines.length === 0 ? "" : `<ul>${lines.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul>`}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>What the real service answers</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>What the real service answers</h1>
${sections.join("\n")}
<section><h2>The assumptions as JSON</h2><pre>${escaped(JSON.stringify(calibration.assumptions, undefined, 2))}</pre></section>
</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text
    .split("\n")
    .map((line) => printable(line).replaceAll(/[&<>"]/g, (character) => entities[character] ?? character))
    .join("\n");
}
