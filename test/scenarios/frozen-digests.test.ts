import { runScenario } from "centavo/scenario";
import { expect, test } from "vitest";
import frozen from "./digests.json" with { type: "json" };
import { stories } from "./stories.ts";

/**
 * The file was written by another process: `npm run scenarios -- --update-digests` writes it anew. Do so only if a change of what
 * is journaled, or of what the seed gives, is deliberate: users who freeze their own digests have to renew them too.
 */
test("every story keeps to its frozen digest, and none is frozen that is gone", async () => {
  const digests: Record<string, string> = {};
  for (const [name, story] of stories) digests[name] = (await runScenario(story, { way: "memory" })).digest;
  expect(digests, "If this was meant, renew them with: npm run scenarios -- --update-digests").toEqual(frozen);
});
