import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

test("optional peers refuse no version, because npm would refuse to install beside it", () => {
  const { peerDependencies, peerDependenciesMeta } = manifest;
  const peers = Object.keys(peerDependencies);
  expect(peers).toEqual(["@playwright/test", "expect", "msw", "vitest"]);
  expect(peerDependencies).toEqual(Object.fromEntries(peers.map((name) => [name, "*"])));
  expect(peerDependenciesMeta).toEqual(Object.fromEntries(peers.map((name) => [name, { optional: true }])));
});
