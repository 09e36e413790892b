import { leftOut } from "../../troubles/in-shake.ts";
import { crashPlace } from "../../troubles/in-words.ts";
import type { Trouble } from "./trouble.ts";

export const crashes: readonly Trouble[] = (["call", "event", "write"] as const).flatMap((at) =>
  (["after", "before"] as const).map((crash): Trouble => ({
    name: `crash ${crash}`,
    at,
    inShake: leftOut("the merchant's program is the test's own process"),
    order: crash === "after" ? "likely" : "variant",
    crash,
    sentence: (point) => `The merchant's program dies ${crash} ${crashPlace(point)}, and starts again a minute later.`,
  })),
);
