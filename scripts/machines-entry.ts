import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./suites.ts";

/** Renders `src/machines.ts`, which exports the machines of every resource. */
export function machinesEntry(): string {
  const exports = globSync("service/*/*machine.ts", { cwd: join(root, "src") })
    .map((path) => path.replaceAll("\\", "/"))
    .toSorted()
    .flatMap((path) => {
      const names = readFileSync(join(root, "src", path), "utf8").matchAll(/^export const (\w+Machine) =/gm);
      return Array.from(names, ([, name]) => `export { ${name} } from "./${path}";`);
    });
  return `/**
 * The lifecycles as XState machines, for diagrams and model-based tests. They have no clock and no side effects: timers and facts are
 * actions that Centavo interprets. With \`exactOptionalPropertyTypes\` set \`skipLibCheck\` too: XState's own declarations have errors there.
 *
 * @example
 * import { paymentIntentMachine } from "centavo/machines";
 * Object.keys(paymentIntentMachine.states); // requires_payment_method, requires_confirmation, …
 */
${exports.join("\n")}
`;
}
