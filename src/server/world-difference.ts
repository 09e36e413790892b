import { isDeepStrictEqual } from "node:util";
import type { WorldOptions } from "./hosted-worlds.ts";

/** Options whose values are no secret, and short. */
const SHOWN: ReadonlySet<string> = new Set(["seed", "now", "clock"]);

/** Says in which options two openings of a world differ, without a secret; undefined if they are the same. */
export function differenceOf(first: WorldOptions, second: WorldOptions): string | undefined {
  const [one, other] = [fieldsOf(first), fieldsOf(second)];
  const differing = [...new Set([...one.keys(), ...other.keys()])].filter(
    (name) => !isDeepStrictEqual(one.get(name), other.get(name)),
  );
  if (differing.length === 0) return undefined;
  return differing
    .map((name) =>
      SHOWN.has(name)
        ? `${name} is ${shown(one.get(name))} there, and ${shown(other.get(name))} here`
        : `${name} differs`,
    )
    .join("; ");
}

/** Names a part of an option, such as `credentials.clientId`. */
function fieldsOf({ assumptions = {}, credentials = {}, faults = [], ...options }: WorldOptions): Map<string, unknown> {
  const parts = (name: string, object: object) =>
    Object.entries(object).map(([part, value]) => [`${name}.${part}`, value] as const);
  return new Map<string, unknown>([
    ...Object.entries(options),
    ...parts("assumptions", Object(assumptions) as object),
    ...parts("credentials", credentials),
    ...faults.map((fault, index) => [`faults[${index}]`, fault] as const),
  ]);
}

function shown(value: unknown): string {
  return value === undefined ? "absent" : JSON.stringify(value).slice(0, 100);
}
