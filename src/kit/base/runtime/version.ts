import { createRequire } from "node:module";

/** Returns the version of this package. */
export function version(): string {
  const manifest = createRequire(import.meta.url)("centavo/package.json") as { readonly version: string };
  return manifest.version;
}
