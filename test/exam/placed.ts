import type { PlacedTrouble } from "../../src/exam/story.ts";
import type { PointKind } from "../../src/troubles/point.ts";
import { troubleOf } from "../../src/exam/troubles/troubles.ts";

/** Places a trouble by its name at the point of a name: `placed("event subscription.activated 1", "webhook.drop")`. */
export function placed(point: string, name: string): PlacedTrouble {
  const [kind = "", ...rest] = point.split(" ");
  const trouble = troubleOf(kind as PointKind, name);
  if (trouble === undefined) throw new Error(`There is no trouble "${name}" at a ${kind}.`);
  return {
    point: { kind: kind as PointKind, subject: rest.slice(0, -1).join(" "), occurrence: Number(rest.at(-1)) },
    trouble,
  };
}
