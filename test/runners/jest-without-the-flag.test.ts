import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { programOf, run } from "./runner.ts";

const tests = `
const { simulated } = require("centavo/testing");
const http = require("node:http");
const call = (url) => new Promise((resolve, reject) => http.get(url.replace("https:", "http:"), resolve).on("error", reject));
const baseUrl = "https://api.pay.example";
test("a client without network.fetch", simulated({ name: "a", baseUrl }, async ({ network }) => call(network.baseUrl)));
test("a shop that swallows the error", simulated({ name: "b", baseUrl }, async ({ sim, network }) => {
  const order = await call(network.baseUrl).then(() => "paid", () => "failed");
  await sim.clock.settle();
  expect(order).toBe("paid");
}));
test("centavo/node by require", simulated({ name: "c", baseUrl }, async ({ sim }) => require("centavo/node").intercept(sim)));
`;

test("Jest without --experimental-vm-modules names the flag, whatever the test did instead", async () => {
  const folder = "shop/jest-without-the-flag";
  const path = join(import.meta.dirname, "../../.cache/runners", folder);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, "package.json"), JSON.stringify({ private: true, jest: { watchman: false } }));
  writeFileSync(join(path, "flag.test.js"), tests);
  const { output } = await run({ folder, arguments: () => [programOf("installs/runners/jest", "jest")] });
  const ways = output.split("\n").filter((line) => line.includes("Way out: "));
  expect(ways).toHaveLength(3);
  for (const way of ways) expect(way).toMatch(/NODE_OPTIONS=--experimental-vm-modules.*#real-network\)/);
});
