import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as z from "zod/mini";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { isThrown, messageOf } from "../kit/base/errors/thrown-values.ts";

/**
 * Reads the JSON file that an option names.
 * @param directory the folder against which the path is resolved
 * @throws {CentavoError} `INVALID_OPTION` naming the option and the file
 */
function jsonIn(option: string, path: string, directory: string): unknown {
  try {
    // Some editors begin a file with a byte order mark, which is not JSON.
    return JSON.parse(readFileSync(resolve(directory, path), "utf8").replace(/^\uFEFF/, ""));
  } catch (error) {
    const why = isThrown(error, SyntaxError) ? "is not JSON" : "cannot be read";
    throw refusedFile(option, path, `${why}: ${messageOf(error)}`, error);
  }
}

/** The credentials in the file of `--credentials`, or in the JSON in its place. Their fields are checked by the simulator. */
export function credentialsIn(path: string, directory: string): Readonly<Record<string, string>> {
  const read = path.trimStart().startsWith("{") ? inlineCredentials(path) : jsonIn("--credentials", path, directory);
  if (typeof read === "object" && read !== null && !Array.isArray(read)) return read as Record<string, string>;
  const takes = 'one object, such as { "clientId": "shop", "clientSecret": "csec_fake_shop" }';
  throw refusedFile("--credentials", path, `holds ${inWords(read)}, and takes ${takes}`);
}

/** The fields in the file of `--data`. Each is checked against the schema of its body. */
export function fieldsIn(path: string, directory: string): Readonly<Record<string, unknown>> {
  const read = jsonIn("--data", path, directory);
  if (typeof read === "object" && read !== null && !Array.isArray(read)) return read as Record<string, unknown>;
  const takes = 'one object, such as { "externalId": "order-7", "amount": 49900 }';
  throw refusedFile("--data", path, `holds ${inWords(read)}, and takes ${takes}`);
}

/** The faults in the file of `--faults`. Each is checked when it is planned. */
export function faultsIn(path: string, directory: string): readonly unknown[] {
  const read = jsonIn("--faults", path, directory);
  if (Array.isArray(read)) return read;
  const takes = 'a list of faults, such as [{ "kind": "response.lost", "times": 1 }]';
  throw refusedFile("--faults", path, `holds ${inWords(read)}, and takes ${takes}`);
}

/** What a shake wrote of the tests in which something was found. */
const found = z.array(z.object({ tests: z.array(z.object({ token: z.string() })) }));
const shaken = z.union([
  z.object({ findings: found, blindSpots: z.optional(z.object({ open: found })) }),
  z.object({ reliances: found }),
]);

/** The tokens of all findings in the file of `--baseline`. */
export function acceptedIn(path: string, directory: string): ReadonlySet<string> {
  const read = jsonIn("--baseline", path, directory);
  const { success, data } = shaken.safeParse(read);
  if (!success)
    throw new CentavoError(
      "INVALID_OPTION",
      `centavo shake --baseline: ${path} is not a result of centavo shake --json. Write one with: npx centavo shake --json -- npx jest > shake.json`,
    );
  const all = "reliances" in data ? data.reliances : [...data.findings, ...(data.blindSpots?.open ?? [])];
  return new Set(all.flatMap(({ tests }) => tests.map(({ token }) => token)));
}

/** Its error shows no part of it, because it has secrets. */
function inlineCredentials(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CentavoError(
      "INVALID_OPTION",
      '--credentials: the text begins as JSON, and is none. It takes a file, or an object such as { "clientId": "shop" }, which a shell needs in quotes.',
    );
  }
}

function refusedFile(option: string, path: string, why: string, cause?: unknown): CentavoError {
  return new CentavoError("INVALID_OPTION", `${option}: the file ${inWords(path)} ${why.replace(/\.$/, "")}.`, {
    cause,
  });
}
