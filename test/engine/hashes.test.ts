import { hash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sha256Of } from "../../src/kit/base/runtime/sha256.ts";

test("the SHA-256 of any text is Node's, broken surrogates included", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(sha256Of(text)).toBe(hash("sha256", text));
    }),
    { seed: 20260101, examples: [[""], ["\uD800"], ["a\uDC00b"], ["Kapé ☕ 🎫"]] },
  );
});
