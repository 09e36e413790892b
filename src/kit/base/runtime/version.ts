/** Returns the version of this package. */
export function version(): string {
  const { createRequire } = globalThis.process.getBuiltinModule("node:module");
  const manifest = createRequire(import.meta.url)("centavo/package.json") as { readonly version: string };
  return manifest.version;
}
