import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { areEqualSecrets } from "../../src/kit/base/runtime/equal-secrets.ts";

const root = join(import.meta.dirname, "../../src");

/** Returns how often a comparison reads a character of what was given: what it takes in place of time. */
function readsOf(given: string, secret: string): number {
  let reads = 0;
  const watched = {
    length: given.length,
    charCodeAt: (index: number): number => {
      reads += 1;
      return given.charCodeAt(index);
    },
  };
  areEqualSecrets(watched, secret);
  return reads;
}

test("two secrets are equal if all of their characters are", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (one, other) => {
      expect(areEqualSecrets(one, other)).toBe(one === other);
      expect(areEqualSecrets(one, one)).toBe(true);
    }),
  );
  for (const [given, secret] of [
    ["", "secret"],
    ["secret", ""],
    ["secret", "secretsecret"],
    ["secretsecret", "secret"],
    ["secres", "secret"],
    ["Secret", "secret"],
    ["s\u0000cret", "secret"],
  ] as const)
    expect(areEqualSecrets(given, secret)).toBe(false);
});

test("a comparison takes as long for a guess that is wrong at its first character as for one that is wrong at its last", () => {
  const secret = "csec_fake_0123456789";
  for (const guess of [secret, `x${secret.slice(1)}`, `${secret.slice(0, -1)}x`, "x".repeat(secret.length)])
    expect(readsOf(guess, secret)).toBe(secret.length);
  // Nor does it tell how long the secret is.
  expect(readsOf("x".repeat(7), secret)).toBe(7);
  expect(readsOf("x".repeat(70), secret)).toBe(70);
});

test("no source compares a secret in another way", () => {
  const secret = "\\w*(?:[sS]ecret|adminKey|AdminKey|controlToken|#options\\.token)";
  const comparison = new RegExp(
    `[.\\w]*${secret}\\)?\\s*(?:===|!==)(?! undefined)|(?:===|!==)\\s*[.\\w#]*${secret}\\b`,
  );
  const sources = ["server", "service/auth", "service/checkout", "service/payment-intents"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(root, folder, path)),
  );
  expect(sources.length).toBeGreaterThan(40);
  const lines = sources.flatMap((path) => readFileSync(path, "utf8").split("\n"));
  expect(lines.filter((line) => comparison.test(line))).toEqual([]);
  expect(comparison.test("if (merchant?.clientSecret === candidate.secret) return")).toBe(true);
  expect(comparison.test("if (key === this.adminKey) return")).toBe(true);
  expect(comparison.test("if (secret === undefined) return")).toBe(false);
});
