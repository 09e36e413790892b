import { crashPlace } from "./in-words.ts";
import type { Trouble } from "./trouble.ts";

export const crashes: readonly Trouble[] = (["call", "event", "write"] as const).flatMap((at) =>
  (["after", "before"] as const).map((crash): Trouble => ({
    name: `crash ${crash}`,
    at,
    order: crash === "after" ? "likely" : "variant",
    crash,
    sentence: (point) => `The merchant's program dies ${crash} ${crashPlace(point)}, and starts again a minute later.`,
  })),
);
