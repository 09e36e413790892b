import module from "node:module";

/** Returns a sentence if this Node is too old for the package, such as `centavo needs Node 22.18 or newer, and this is v20.19.4. Install a newer Node.` */
export function oldNode(): string | undefined {
  const { engines } = module.createRequire(import.meta.url)("centavo/package.json") as {
    readonly engines: { readonly node: string };
  };
  const [major = 0, minor = 0] = numbersOf(process.versions.node);
  const [lowestMajor = 0, lowestMinor = 0] = numbersOf(engines.node);
  if (major > lowestMajor || (major === lowestMajor && minor >= lowestMinor)) return undefined;
  return `centavo needs Node ${lowestMajor}.${lowestMinor} or newer, and this is ${process.version}. Install a newer Node.`;
}

function numbersOf(version: string): number[] {
  return (version.match(/\d+/g) ?? []).map(Number);
}
