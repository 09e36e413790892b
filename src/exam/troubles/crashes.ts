import { crashPlace } from "./in-words.ts";
import type { Trouble } from "./trouble.ts";

/** The ends of the merchant's program. */
export const crashes: readonly Trouble[] = (["call", "event", "write"] as const).flatMap((at) =>
  (["after", "before"] as const).map((when): Trouble => ({
    name: `crash ${when}`,
    at,
    plan: { does: "crash", when },
    sentence: (point) => `The merchant's program dies ${when} ${crashPlace(point)}, and starts again a minute later.`,
  })),
);
