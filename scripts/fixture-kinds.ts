import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { paymentService } from "../src/service/service.ts";
import { root } from "./suites.ts";

/** The resources that fixtures make, in the order of the service's list, with the text of their declarations. */
const declarations = paymentService.resources
  .map(({ name }) => `service/${name}/fixture.ts`)
  .filter((path) => existsSync(join(root, "src", path)))
  .map((path) => ({ from: `"../${path}"`, text: readFileSync(join(root, "src", path), "utf8") }));

/** Renders the list of all fixtures. The resources do not name them, because the core would load them. */
export function fixtureKinds(): string {
  const kinds = declarations.map(({ from, text }) => ({
    from,
    names: named(text, /^export const (\w+) = defineFixture/gm),
  }));
  return `// \`npm run docs\` writes this file from the fixtures of the resources.
import type { AnyFixture } from "../service/fixture.ts";
${kinds.map(({ from, names }) => `import { ${names.join(", ")} } from ${from};`).join("\n")}

/** How fixtures make each kind of resource, by its name in \`make.world\`. */
export const kinds = { ${kinds.flatMap(({ names }) => names).join(", ")} };

export type Kinds = typeof kinds;

export const allKinds: readonly AnyFixture[] = Object.values(kinds);
`;
}

/** Renders the exports of the options that fixtures take, and of what they return that the service does not know. */
export function fixtureOptions(): string {
  const exports = declarations.map(
    ({ from, text }) =>
      `export type { ${named(text, /^export (?:type|interface) (\w+(?:Options|Fixture))\b/gm).join(", ")} } from ${from};`,
  );
  return `// \`npm run docs\` writes this file from the fixtures of the resources.\n${exports.join("\n")}\n`;
}

function named(text: string, pattern: RegExp): string[] {
  return Array.from(text.matchAll(pattern), ([, name = ""]) => name);
}
