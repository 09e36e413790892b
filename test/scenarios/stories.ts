import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Scenario } from "centavo/scenario";

const folder = join(import.meta.dirname, "../../scenarios");

/** Every story of the repository under its file's name, beside what the stories share. */
export const stories: readonly (readonly [name: string, story: Scenario])[] = await Promise.all(
  readdirSync(folder)
    .map((file) => file.replace(/\.ts$/, ""))
    .filter((name) => name !== "shop")
    .toSorted()
    .map(async (name) => {
      const module = (await import(`../../scenarios/${name}.ts`)) as { readonly default: Scenario };
      return [name, module.default] as const;
    }),
);
