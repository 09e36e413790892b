import { describe, expect, test } from "vitest";
import type { AnyRoute } from "../../src/http/route.ts";
import { routesIn } from "../../src/declaration/service.ts";
import { paymentService } from "../../src/service/service.ts";
import { endpoints } from "./endpoints.ts";

const declared: readonly AnyRoute[] = routesIn(paymentService);
const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;

describe("the endpoints of the conformance table", () => {
  test("are the routes that exist, no more and no less", () => {
    expect(declared.map(nameOf).toSorted()).toEqual(endpoints.map(nameOf).toSorted());
  });

  test.for(endpoints)(
    "$method $path takes the document's query parameters and credential",
    ({ query = [], credential, ...endpoint }) => {
      const route = declared.find((candidate) => nameOf(candidate) === nameOf(endpoint));
      expect(Object.keys(route?.query?.shape ?? {}).toSorted()).toEqual(query.toSorted());
      if (credential === undefined) return;
      expect(route?.credential.replace("-or-client-key", "")).toBe(credential);
    },
  );
});
