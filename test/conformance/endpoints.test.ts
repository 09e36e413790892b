import { describe, expect, test } from "vitest";
import type { AnyRoute } from "../../src/http/route.ts";
import { routes } from "../../src/simulator.ts";
import { endpoints } from "./endpoints.ts";
import { areas } from "./verdict.ts";

const declared: readonly AnyRoute[] = routes;
const built = endpoints.filter(({ verdict }) => verdict === "supported" || "assumed" in verdict);
const missing = endpoints.flatMap(({ method, path, verdict }) =>
  typeof verdict === "object" && "notBuilt" in verdict ? [{ method, path, area: verdict.notBuilt }] : [],
);
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;

describe("the endpoints of the conformance table", () => {
  test("are the routes that exist, no more and no less", () => {
    expect(declared.map(nameOf).toSorted()).toEqual(built.map(nameOf).toSorted());
  });

  test.for(built)(
    "$method $path takes the document's query parameters and credential",
    ({ query = [], credential, ...endpoint }) => {
      const route = declared.find((candidate) => nameOf(candidate) === nameOf(endpoint));
      expect(Object.keys(route?.query?.shape ?? {})).toEqual(expect.arrayContaining([...query]));
      if (credential === undefined) return;
      expect(route?.credential.replace("-or-client-key", "")).toBe(credential);
    },
  );

  test.for(missing)("$method $path is said not to be built as a part of $area", ({ path, area }) => {
    expect(path.startsWith(areas[area].paths)).toBe(true);
  });
});

test.for(Object.entries(areas))(
  "nothing of %s exists, as long as rows of the conformance table say so",
  ([, { paths }]) => {
    expect(declared.filter(({ path }) => path.startsWith(paths)).map(nameOf)).toEqual([]);
  },
);
