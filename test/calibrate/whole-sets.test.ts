import type { AssumptionOverrides } from "centavo";
import { calibrate } from "centavo/calibrate";
import { describe, expect, test } from "vitest";
import { sets } from "../assumptions/sets.ts";
import { recorded } from "./recorded.ts";
import { day } from "./story.ts";

/** What a merchant's own calls look like is another matter: see `other-paths.test.ts`. */
const shapes = Object.entries<AssumptionOverrides>(sets).map(([name, set]): [string, AssumptionOverrides] => {
  const { "http.endpoints": _, "auth.paths": __, "auth.token-request": ___, ...rest } = set;
  return [name, rest];
});

describe.each(shapes)("a recording of a service under the %s set of values", (_name, assumptions) => {
  test("is calibrated to values under which a world answers the same", async () => {
    const exchanges = await recorded(assumptions, (world) => day(world, assumptions));
    const found = await calibrate(exchanges);
    console.log(JSON.stringify(found.assumptions), found.acts);
    expect(found.drift).toEqual([]);
    expect(found.disagreements).toEqual([]);
    const again = await recorded(found.assumptions, (world) => day(world, found.assumptions));
    expect(again.map(({ answer }) => answer)).toEqual(exchanges.map(({ answer }) => answer));
    expect(again.map(({ request }) => request.body)).toEqual(exchanges.map(({ request }) => request.body));
  });
});
