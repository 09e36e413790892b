import https from "node:https";
import { intercept, type Network } from "centavo/node";
import { afterEach, expect, test } from "vitest";
import { echoService } from "./echo-service.ts";

const networks: Network[] = [];
const open: typeof intercept = (...input) => {
  const network = intercept(...input);
  networks.push(network);
  return network;
};

afterEach(() => {
  for (const network of networks.splice(0)) network.close();
});

function statusOf(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    https.get(url, (response) => response.resume().on("end", () => resolve(response.statusCode))).on("error", reject);
  });
}

test("several services are answered side by side, each by its own", async () => {
  const one = echoService("https://one.example");
  const two = echoService("https://two.example", "https://auth.two.example");
  open([one, two]);
  await Promise.all([
    fetch("https://one.example/a"),
    fetch("https://two.example/b"),
    statusOf("https://auth.two.example/oauth"),
  ]);
  expect(one.seen.map(({ url }) => url)).toEqual(["https://one.example/a"]);
  expect(two.seen.map(({ url }) => url).toSorted()).toEqual([
    "https://auth.two.example/oauth",
    "https://two.example/b",
  ]);
});

test("the longest base path wins", async () => {
  const api = echoService("https://pay.example");
  const next = echoService("https://pay.example/v2");
  open([api, next]);
  await Promise.all([
    fetch("https://pay.example/v1/a"),
    fetch("https://pay.example/v2/a"),
    fetch("https://pay.example/v20/a"),
  ]);
  expect(api.seen.map(({ path }) => path).toSorted()).toEqual(["/v1/a", "/v20/a"]);
  expect(next.seen.map(({ path }) => path)).toEqual(["/v2/a"]);
});

test("the service answers the metadata of an auth URL with a path in both places that RFC 8414 names", async () => {
  const service = echoService("https://api.pay.example", "https://auth.pay.example/tenant");
  open(service);
  await fetch("https://auth.pay.example/.well-known/oauth-authorization-server/tenant");
  await fetch("https://auth.pay.example/tenant/.well-known/openid-configuration");
  await expect(fetch("https://auth.pay.example/.well-known/oauth-authorization-server")).rejects.toThrow(
    "fetch failed",
  );
  expect(service.seen).toHaveLength(2);
});

test("a second interception answers beside the first, and either may go first", async () => {
  const one = echoService("https://one.example");
  const two = echoService("https://two.example");
  const outer = open(one);
  const inner = open(two, { allow: ["http://open.localhost"] });
  expect((await fetch("https://one.example/")).status).toBe(200);
  expect((await fetch("https://two.example/")).status).toBe(200);
  outer.close();
  expect(await statusOf("https://two.example/")).toBe(200);
  await expect(fetch("https://one.example/")).rejects.toThrow("fetch failed");
  inner.close();
  expect([one.seen.length, two.seen.length]).toEqual([1, 2]);
});

test.each([
  ["the same base URL", "https://one.example", "https://other.example"],
  ["the same base URL but for its slash", "https://one.example/", "https://other.example"],
  ["an auth URL that is another's base URL", "https://other.example", "https://one.example"],
])("two services at %s that nothing tells apart are refused, in one call and in two", (_how, baseUrl, authUrl) => {
  const first = echoService("https://one.example");
  const second = echoService(baseUrl, authUrl);
  const conflict: unknown = expect.objectContaining({
    code: "INTERCEPTION_CONFLICT",
    message: expect.stringContaining(
      "another service already answers https://one.example, and only simulators can share an address",
    ) as string,
  });
  expect(() => open([first, second])).toThrow(conflict);
  const network = open(first);
  expect(() => open(second)).toThrow(conflict);
  network.close();
  expect(() => open(second)).not.toThrow();
});

test("a service that is intercepted twice answers until both are closed", async () => {
  const service = echoService("https://one.example");
  const [outer, inner] = [open(service), open(service)];
  outer.close();
  expect((await fetch("https://one.example/")).status).toBe(200);
  inner.close();
  expect(service.seen).toHaveLength(1);
});

test("a base URL that is not one is refused", () => {
  expect(() => open(echoService("api.pay.example"))).toThrow(expect.objectContaining({ code: "INVALID_URL" }));
});
