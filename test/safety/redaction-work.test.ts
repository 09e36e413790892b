import { describe, expect, test } from "vitest";
import { paymentService } from "../../src/service/service.ts";
import { growthOf, MOST_GROWTH } from "./growth.ts";

const { redaction } = paymentService;

/** Texts that begin like a secret again and again, and never become one before their end. */
const beginnings = [
  "eyJ",
  "eyJa",
  "eyJa.",
  "eyJa..",
  "eyJ-_",
  "EYJ",
  "eyJwhsec_",
  "Basic ",
  "Basic\t",
  "Bearer ",
  "Bearer \n ",
  "Basic abcdefg ",
  " ",
  "ck_",
  "ck_a",
  `ck_${"a".repeat(23)}-`,
  "csec_fake_",
  "rt_fake_a.",
  "whsec_",
  "whsec_a:",
  "Y2lfZmFrZV",
  "Y2lfZmFrZV.",
  "/0b5f3f5c-6a53-4b6e-9d7f-",
  "=0b5f3f5c",
  "/0b5f3f5c-6a53-4b6e-9d7f-3b1c5f9a2e11",
];
const digits = ["0", "1", "2", "4", "9", "24", "1 ", "4 ", "4--", "4...", "123456789012 x", "2.", "5+/5", "40000000"];

function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length));
}

describe("the work of redaction grows no faster than its text", () => {
  test.each([...beginnings, ...digits])("made of %j", async (part) => {
    const growth = await growthOf((length) => {
      const text = repeated(part, length);
      return () => redaction.text(text);
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });

  test.each(["%65yJ", "%20", "%C3", "%", "eyJ%", "%25", "%2525%", "%25%32%35", "%2F0b5f3f5c-"])(
    "of a path made of %j",
    async (part) => {
      const growth = await growthOf((length) => {
        const path = repeated(part, length);
        return () => redaction.text(path);
      });
      expect(growth).toBeLessThan(MOST_GROWTH);
    },
  );
});

describe("the work of redaction grows no faster than the fields", () => {
  test.each(["sessionToken", "session-token-", "_", "[", "c]", "webhook_secret"])("named %j", async (part) => {
    const growth = await growthOf((length) => {
      const name = repeated(part, length);
      return () => redaction.value({ [name]: 1, [`card[${name}]`]: 1, sessionToken: name });
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });
});

describe("a secret is found", () => {
  const TOKEN = "eyJhbGci.eyJzdWIi.c2ln";

  test.each([
    [
      "behind the beginnings of a thousand tokens",
      `${"eyJ".repeat(1000)} ${TOKEN}`,
      `${"eyJ".repeat(1000)} [redacted]`,
    ],
    ["inside a word that begins like a token", "eyJabcwhsec_0123456789", "eyJabcwhsec_[redacted]"],
    ["inside a word that begins like a token and ends like a header", "eyJaBasic abcdefgh", "eyJa[redacted]"],
    ["with a header's name before it", `Bearer ${TOKEN}`, "[redacted]"],
    ["in a card number behind digits that are none", `${"1".repeat(40)}4343434343434345`, "[redacted]"],
  ])("%s", (_, text, expected) => {
    expect(redaction.text(text)).toBe(expected);
  });
});
