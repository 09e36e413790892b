import https from "node:https";
import { createSimulator } from "centavo";
import { intercept } from "centavo/node";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const jwks = "https://api.pay.example/.well-known/jwks.json";
const options = { baseUrl: "https://api.pay.example" };
const refusal = {
  code: "INTERCEPTION_CONFLICT",
  message: expect.stringMatching(
    /another copy of Centavo.*jest\.resetModules\(\).*Close the network.*or import/s,
  ) as string,
};

async function copy(): Promise<typeof import("centavo/node") & typeof import("centavo")> {
  vi.resetModules();
  return { ...(await import("centavo/node")), ...(await import("centavo")) };
}

const statusBy: readonly ((url: string) => Promise<number | undefined>)[] = [
  async (url) => (await fetch(url)).status,
  (url) =>
    new Promise((resolve, reject) =>
      https.get(url, (answer) => resolve(answer.resume().statusCode)).on("error", reject),
    ),
];

let sim: ReturnType<typeof createSimulator>;

beforeEach(() => {
  sim = createSimulator(options);
});

afterEach(() => sim.close());

test("is refused while the first intercepts, and the first goes on", async () => {
  intercept(sim);
  const other = await copy();
  expect(() => other.intercept(other.createSimulator(options))).toThrow(expect.objectContaining(refusal));
  for (const send of statusBy) expect(await send(jwks)).toBe(200);
});

test.each([
  ["its network", async (network: AsyncDisposable) => network[Symbol.asyncDispose]()],
  ["its simulator", () => sim.close()],
])("intercepts once the first has closed %s", async (_what, close) => {
  await close(intercept(sim));
  const other = await copy();
  await using later = other.createSimulator(options);
  other.intercept(later);
  for (const send of statusBy) expect(await send("https://api.pay.example/api/transactions")).toBe(401);
  expect(later.journal.entries.filter(({ kind }) => kind === "request")).toHaveLength(statusBy.length);
});

test("does not matter to a function that was imported before", async () => {
  intercept(sim);
  await copy();
  await using another = createSimulator({ baseUrl: "https://second.pay.example" });
  intercept(another);
  for (const send of statusBy) expect(await send("https://second.pay.example/.well-known/jwks.json")).toBe(200);
});

test("takes a simulator of the first", async () => {
  const other = await copy();
  using _ = other.intercept(sim);
  for (const send of statusBy) expect(await send(jwks)).toBe(200);
});
