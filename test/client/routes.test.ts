import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "centavo/client";
import { expect, test } from "vitest";
import { routesIn } from "../../src/kit/declaration/define-service.ts";
import { paymentService } from "../../src/service/service.ts";

const routes = routesIn(paymentService);
const called = routes.flatMap(({ client, ...route }) => (client === undefined ? [] : [{ ...route, client }]));
const root = join(import.meta.dirname, "../..");

/** Routes that answer data and are not the client's, and why. */
const others: Readonly<Record<string, string>> = {
  "merchant.register": "the administrator's: a merchant's own code never registers merchants",
};

test("every route that answers data has its call, or a reason to have none", () => {
  const uncalled = routes.filter(({ data, client }) => data !== undefined && client === undefined);
  expect(uncalled.map(({ name }) => name)).toEqual(Object.keys(others));
});

test.for(called)("client.$client asks for what $name declares, and for nothing else", async (route) => {
  const asked: object[] = [];
  const client = createClient({
    baseUrl: "https://api.pay.example",
    clientId: "ci",
    clientSecret: "cs",
    adminKey: "ak",
    fetch: (url, { method, headers, body }) => {
      const { pathname, search } = new URL(url);
      const { authorization, "x-admin-key": admin } = headers as Record<string, string>;
      if (pathname !== "/oauth") asked.push({ method, pathname, search, authorization, admin, body });
      return Promise.resolve(Response.json({ success: true, data: {}, access_token: "at", refresh_token: "rt" }));
    },
  });
  const [group = "", name = ""] = route.client.split(".");
  const calls = Reflect.get(client, group) as Readonly<Record<string, (...given: unknown[]) => Promise<unknown>>>;
  const content = { limit: 7 };
  const takes = route.body !== undefined || route.query !== undefined;
  await calls[name]?.(...(route.params === undefined ? [] : ["some-id"]), ...(takes ? [content] : []));
  expect(asked).toEqual([
    {
      method: route.method,
      pathname: route.path.replace(/\{\w+\}/, "some-id"),
      search: route.query === undefined ? "" : "?limit=7",
      authorization: route.credential === "admin-key" ? undefined : "Bearer at",
      admin: route.credential === "admin-key" ? "ak" : undefined,
      body: route.body === undefined ? undefined : JSON.stringify(content),
    },
  ]);
});

test("every type of a call has the name of its schema", () => {
  const text = readFileSync(join(root, "src/client/calls.ts"), "utf8");
  const imports = [...text.matchAll(/import type \{ (.+) \} from "\.\.\/(service\/\S+)";/g)];
  const strangers = imports.flatMap(([, names = "", path = ""]) => {
    const schemas = readFileSync(join(root, "src", path), "utf8");
    return names.split(", ").filter((name) => {
      const schema = name.replace(/^./, (first) => first.toLowerCase());
      return !schemas.includes(`export type ${name} = z.output<typeof ${schema}>;`);
    });
  });
  expect(imports.length).toBeGreaterThan(0);
  expect(strangers).toEqual([]);
});
