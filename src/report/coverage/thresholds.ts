import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import { refuseUnknownOptions } from "../../kit/base/errors/unknown-options.ts";
import type { Coverage } from "../../simulator/coverage-result.ts";
import { parts } from "../../simulator/coverage-result.ts";
import type { Part } from "../../simulator/coverage-result.ts";

/** How much of each part a suite must see, in percent. Parts that are not named have no threshold. */
export type Thresholds = Readonly<Partial<Record<Part, number>>>;

/**
 * Reads thresholds.
 * @param call the caller, for messages
 * @throws {CentavoError} `INVALID_OPTION` for an unknown part, suggesting the nearest known one, and for anything but a percentage
 */
export function readThresholds(call: string, given: unknown): Thresholds {
  refuseUnknownOptions(call, given, parts);
  for (const [part, percent] of Object.entries(given as Thresholds))
    if (typeof percent !== "number" || !(percent >= 0 && percent <= 100))
      throw new CentavoError(
        "INVALID_OPTION",
        `${call}: ${part} is ${inWords(percent)}. It takes a percentage from 0 to 100.`,
      );
  return given as Thresholds;
}

/** Returns a sentence for each part below its threshold. */
export function belowThresholds(coverage: Coverage, thresholds: Thresholds): readonly string[] {
  return parts.flatMap((part) => {
    const { seen, missing } = coverage[part];
    const share = (100 * seen.length) / (seen.length + missing.length);
    const wanted = thresholds[part];
    return wanted === undefined || share >= wanted
      ? []
      : [`Coverage of ${part} is ${Math.floor(10 * share) / 10} %, and the threshold is ${wanted} %.`];
  });
}
