import { hash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test, vi } from "vitest";

// Another file of the process may have taken Node's.
vi.resetModules();
const { hashBy, sha256Of } = await import("../../src/kit/base/runtime/sha256.ts");

test("Node's SHA-256 of any text is the portable one, broken surrogates included", () => {
  const own = (text: string): string => hash("sha256", text);
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
      expect(sha256Of(text)).toBe(own(text));
    }),
    { seed: 20260101, examples: [[""], ["\uD800"], ["a\uDC00b"], ["Kapé ☕ 🎫"]] },
  );
});

test("a process takes another SHA-256 from when it is given one", () => {
  const before = sha256Of("x");
  hashBy((text) => `hash of ${text}`);
  expect(sha256Of("x")).toBe("hash of x");
  hashBy((text) => hash("sha256", text));
  expect(sha256Of("x")).toBe(before);
});
