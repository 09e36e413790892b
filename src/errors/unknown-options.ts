import { CentavoError } from "./centavo-error.ts";
import { nearest } from "./nearest.ts";

/**
 * Refuses options that would silently do nothing.
 * @param call what they were given to, as messages name it
 * @throws {CentavoError} `INVALID_OPTION` naming the first unknown one and the nearest that there is
 */
export function refuseUnknownOptions(call: string, options: object, names: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (names.includes(name)) continue;
    throw new CentavoError(
      "INVALID_OPTION",
      `${call} has no option "${name}". The nearest is "${nearest(name, names)}".`,
    );
  }
}
