import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { redactPath, redactText } from "../../src/redaction/redaction.ts";

const SHORT = 16 * 1024;
const GROWTH = 16;
/** Work in proportion to the text grows 16-fold with it, quadratic work 256-fold. */
const MOST_GROWTH = 64;
const ROUNDS = 7;

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
  "cs_fake_",
  "rt_fake_a.",
  "whsec_",
  "whsec_a:",
  "Y2lfZmFrZV",
  "Y2lfZmFrZV.",
];
const digits = ["0", "1", "2", "4", "9", "24", "1 ", "4 ", "4--", "4...", "123456789012 x", "2.", "5+/5", "40000000"];

/** The least processor time of several rounds, in microseconds, because everything else on the machine only adds to it. */
function workOf(act: () => unknown): number {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    act();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, user + system);
  }
  // Below the resolution of the count, a ratio says nothing.
  return Math.max(least, 50);
}

function repeated(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length));
}

describe("the work of redaction grows no faster than its text", () => {
  test.each([...beginnings, ...digits])("made of %j", (part) => {
    const work = (length: number): number => {
      const text = repeated(part, length);
      return workOf(() => redactText(text));
    };
    expect(work(SHORT * GROWTH) / work(SHORT)).toBeLessThan(MOST_GROWTH);
  });

  test.each(["%65yJ", "%20", "%C3", "%", "eyJ%"])("of a path made of %j", (part) => {
    const work = (length: number): number => {
      const path = repeated(part, length);
      return workOf(() => redactPath(path));
    };
    expect(work(SHORT * GROWTH) / work(SHORT)).toBeLessThan(MOST_GROWTH);
  });
});

test("a field name made of the beginnings of tokens is answered without credentials, in proportion to its length", async () => {
  const sim = createSimulator();
  const work = async (length: number): Promise<number> => {
    let least = Infinity;
    for (let round = 0; round < ROUNDS; round += 1) {
      const body = JSON.stringify({ [repeated("eyJ", length)]: 1 });
      const before = process.cpuUsage();
      const answer = await sim.fetch("/oauth", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      expect(answer.status).toBe(400);
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, user + system);
    }
    return Math.max(least, 50);
  };
  const [short, long] = [await work(SHORT), await work(SHORT * GROWTH)];
  expect(long / short).toBeLessThan(MOST_GROWTH);
  expect(String(sim.journal)).toContain("unknown fields were ignored: eyJ");
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
    expect(redactText(text)).toBe(expected);
  });
});
