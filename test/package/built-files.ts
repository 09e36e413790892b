import { readFileSync } from "node:fs";
import { join } from "node:path";

const dist = join(import.meta.dirname, "../../dist");

/** A built file and all that it loads of the package's own as it is loaded itself. */
export function filesBehind(
  format: "esm" | "cjs",
  path: string,
  found = new Map<string, string>(),
): ReadonlyMap<string, string> {
  if (found.has(path)) return found;
  const text = readFileSync(join(dist, format, path), "utf8");
  found.set(path, text);
  for (const name of modulesIn(text)) if (name.startsWith(".")) filesBehind(format, join(path, "..", name), found);
  return found;
}

/** The modules that a file loads at once: static imports, and the calls of `require` that begin a statement. */
export function modulesIn(text: string): string[] {
  const statements = /^(?:(?:import|export|\} from)\b[^"']*|(?:var \w+ = )?require\()["']([^"']+)["']\)?;/gm;
  return [...text.matchAll(statements)].map(([, name = ""]) => name);
}
