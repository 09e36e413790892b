import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import { durationMilliseconds } from "../kit/engine/duration.ts";
import type { DurationLike } from "../kit/engine/duration.ts";

/** What bounds the named worlds of a server. */
export interface WorldLimits {
  /** How long a world may go without a request or a control call before it ends, in real time; `30 minutes` by default. */
  readonly idle?: DurationLike;
  /** How many worlds there may be at a time; 1000 by default. */
  readonly most?: number;
  /** The option `keep` of each world; 1000 by default. */
  readonly keep?: number;
  /** How many rows a world may have, such as payments, events and tokens, before it refuses calls that could add more; 20 000 by default. */
  readonly rows?: number;
}

/** The checked limits. */
export interface CheckedLimits {
  /** In milliseconds. */
  readonly idle: number;
  readonly most: number;
  readonly keep: number;
  readonly rows: number;
}

/** The longest delay of a timer. */
const LONGEST_IDLE = 2 ** 31 - 1;

/** @throws {CentavoError} `INVALID_OPTION` */
export function checkLimits(limits: WorldLimits = {}): CheckedLimits {
  refuseUnknownOptions("serve: the option worlds", limits, ["idle", "most", "keep", "rows"]);
  const { idle = "30 minutes", most = 1000, keep = 1000, rows = 20_000 } = limits;
  for (const [name, count] of Object.entries({ most, keep, rows }))
    if (!Number.isSafeInteger(count) || count < 1) throw refused(name, count, "a whole number of at least 1");
  const milliseconds = millisecondsOf(idle);
  if (!(milliseconds >= 1 && milliseconds <= LONGEST_IDLE))
    throw refused("idle", idle, 'a time of up to 24 days, such as "30 minutes"');
  return { idle: milliseconds, most, keep, rows };
}

/** Returns NaN for what is no duration. */
function millisecondsOf(idle: DurationLike): number {
  try {
    return durationMilliseconds(idle);
  } catch {
    return Number.NaN;
  }
}

function refused(name: string, value: unknown, takes: string): CentavoError {
  return new CentavoError(
    "INVALID_OPTION",
    `serve: the option worlds.${name} is ${inWords(value)}. It takes ${takes}.`,
  );
}
