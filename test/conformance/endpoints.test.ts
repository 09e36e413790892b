import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import type { AnyRoute } from "../../src/kit/http/route.ts";
import { tokensOf } from "../merchant/requests.ts";
import { endpoints } from "./endpoints.ts";
import { documented } from "./resources.ts";

const declared: readonly AnyRoute[] = documented.flatMap(({ routes }): readonly AnyRoute[] => routes);
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

  test.for(endpoints)("$method $path is opened by its credential and by no other", async (endpoint) => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const route = declared.find((candidate) => nameOf(candidate) === nameOf(endpoint));
    const address = `${route?.service === "auth" ? sim.authUrl : sim.baseUrl}${endpoint.path.replaceAll(/\{\w+\}/g, "some")}`;
    const isRefused = async (headers: Record<string, string>): Promise<boolean> => {
      const answer = await sim.fetch(address, { method: endpoint.method, headers });
      return answer.status === 401;
    };
    const credential = endpoint.credential ?? route?.credential ?? "none";
    const bearer = { authorization: `Bearer ${access}` };
    const admin = { "x-admin-key": sim.credentials.adminKey };
    expect({ none: await isRefused({}), bearer: await isRefused(bearer), admin: await isRefused(admin) }).toEqual({
      none: credential !== "none",
      bearer: credential === "admin-key",
      admin: credential === "bearer",
    });
  });
});
