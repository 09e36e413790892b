import { CentavoError } from "./centavo-error.ts";
import { nearest } from "./nearest.ts";

/**
 * Refuses unknown options, which would silently do nothing.
 * @param call the call that takes the options, for the message
 * @throws {CentavoError} `INVALID_OPTION` naming the first unknown option and the nearest known one
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
