import { script, scriptHash, style, styleHash, version } from "./built-page.ts";

/** Only the page's own script and style run, and it calls nobody but its own server. */
const policy = [
  "default-src 'none'",
  `script-src '${scriptHash}'`,
  `style-src '${styleHash}'`,
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

/** The page of the inspector: one document that holds no data and loads nothing. It asks its server for everything. */
export const inspectorDocument = { html, policy };
