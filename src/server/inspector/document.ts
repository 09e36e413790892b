import { script, scriptHash, style, styleHash, version } from "./built-page.ts";

/** A page, and what its Content-Security-Policy allows. */
export interface InspectorDocument {
  readonly html: string;
  /** The value of `script-src`: a hash in quotes. */
  readonly scripts: string;
  /** The value of `style-src`. */
  readonly styles: string;
}

const scripts = `'${scriptHash}'`;
const styles = `'${styleHash}'`;

/** Only the page's own script and style run, and it calls nobody but its own server. */
const policy = [
  "default-src 'none'",
  `script-src ${scripts}`,
  `style-src ${styles}`,
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Centavo ${version}">
<link rel="icon" href="data:,">
<title>Centavo inspector</title>
<style>${style}</style>
</head>
<body>
<div id="inspector"><p>The inspector needs JavaScript, and nothing from other origins.</p></div>
<script>${script}</script>
</body>
</html>
`;

/** Returns the page of the inspector: one document that holds no data and loads nothing. It asks its server for everything. */
export function inspectorDocument(): InspectorDocument {
  return { html, scripts, styles };
}
