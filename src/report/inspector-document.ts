/**
 * Returns the page of the inspector: one document that holds no data and loads nothing. Its server sends the policy that goes with it.
 * @returns the document, and the sources that its policy allows for scripts and styles
 */
export function inspectorDocument(): InspectorDocument {
  return { html: PLACEHOLDER, scripts: "'none'", styles: "'none'" };
}

/** A page, and what its Content-Security-Policy allows. */
export interface InspectorDocument {
  readonly html: string;
  /** The value of `script-src`, such as a hash in quotes. */
  readonly scripts: string;
  /** The value of `style-src`. */
  readonly styles: string;
}

const PLACEHOLDER = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Centavo inspector</title>
</head>
<body>
<main><h1>Centavo inspector</h1></main>
</body>
</html>
`;
