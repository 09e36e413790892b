import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { centavoIn } from "./commands.ts";
import type { Ran } from "./commands.ts";

const token = btoa(JSON.stringify({ flow: "order approved" })).replaceAll("=", "");
const other = {
  story: ["A customer orders."],
  what: "Charged twice.",
  remedy: "Send a key.",
  token,
  digest: "d",
  timeline: "",
  number: 1,
};
const failure = {
  ...other,
  law: "charged-once",
  sentence: "A customer is charged once.",
  docs: "docs/guide/laws.md#charged-once",
  others: [],
  count: 2,
};
const verdict = {
  failures: [] as readonly unknown[],
  warnings: [],
  stories: 10,
  left: { flows: 0, stories: 0 },
  endedEarly: [] as readonly string[],
  seed: 1,
  unjudged: { "stock-freed": "the books have no stock" },
  leftOut: {},
  neverReached: [] as readonly string[],
  off: [],
  onlyWarn: [],
  missingActs: [],
  coverage: {
    flows: { "order approved": 1 },
    flowsNotPlayed: ["order by a wallet"],
    troubles: { "call payment-intent.create": { "response.lost": 1 } },
    neverStruck: { "call payment-intent.create": ["request.reset"] },
    notTried: { "call payment-intent.create": ["request.hang"], write: ["crash after"] },
    moves: { "payment_intent: requires_payment_method": 3 },
    events: { "payment_intent.processing": 3 },
    eventsWithoutAddress: 0,
    errors: {},
  },
  digest: "0".repeat(64),
};

interface Changes {
  readonly shard?: object;
  readonly centavo?: string;
  readonly verdict?: object;
  readonly notExamined?: readonly object[];
}

const pace = { storiesPerSecond: 10, seconds: 1, merchantShare: 0.25 };
const report = (changes: Changes): string => {
  const { shard = { index: 1, of: 2 }, centavo = manifest.version, verdict: changed = {}, notExamined = [] } = changes;
  const exam = { file: "shop.exam.ts", shard, pace, verdict: { ...verdict, ...changed } };
  return JSON.stringify({ centavo, exams: [exam], notExamined });
};
const brokenOff = (shard: object): string =>
  JSON.stringify({
    centavo: manifest.version,
    exams: [],
    notExamined: [{ file: "shop.exam.ts", shard, why: "process.exit(0) was called." }],
  });
const second = { shard: { index: 2, of: 2 } };

/** Merges files with these texts, which are named 1.json, 2.json and so on. */
async function merge(texts: readonly string[], ...options: readonly string[]): Promise<Ran> {
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  const names = texts.map((_, index) => `${index + 1}.json`);
  for (const [index, name] of names.entries()) writeFileSync(join(folder, name), texts[index] ?? "");
  return centavoIn(folder, "exam", "merge", ...names, ...options);
}

test("shards that found nothing add up to an exam that is passed", async () => {
  const { code, text } = await merge([report({}), report(second)]);
  expect(text).toContain("The exam passed: no story broke a law. 20 stories were played with the seed 1.");
  expect(text).toContain("Flows of customers: 1 of 2 played. Not played: order by a wallet.");
  expect(text).toMatch(/at calls of the merchant +1 +1 +1 +1\n/);
  expect(text).toContain("Met of payment_intent: 1 of 7 states, but never");
  expect(text).toContain(
    "20 stories a second: 25 % of the time was the merchant's program, 75 % the exam and the service.",
  );
  expect(text).toContain("Not judged: stock-freed, because the books have no stock.");
  expect(code).toBe(0);
});

test("the tables of what was tried are printed on demand", async () => {
  const { text } = await merge([report({}), report(second)], "--coverage");
  expect(text).toMatch(/ +1 +2 +3\n {2}payment-intent\.create +2 +– +·\n/);
  expect(text).toMatch(/\n {2}payment_intent\.processing +6\n/);
  expect(text).toMatch(/\n {2}payment_intent\.succeeded +never\n/);
});

test("a failure of several shards is told once, by its earliest story, with the stories of both counted", async () => {
  const later = { ...failure, number: 9, story: ["A customer orders late."], others: [{ ...other, number: 10 }] };
  const { code, text } = await merge([
    report({ verdict: { failures: [later] } }),
    report({ ...second, verdict: { failures: [failure] } }),
  ]);
  expect(text.match(/✗ charged-once/g)).toHaveLength(1);
  expect(text).toContain("1. A customer orders.");
  expect(text).not.toContain("late");
  expect(text).toContain(`Replay it: npx centavo exam shop.exam.ts --replay ${token}`);
  expect(code).toBe(1);
});

test("what one shard tried does not count as never tried, and what one shard judged does not count as unjudged", async () => {
  const coverage = {
    ...verdict.coverage,
    flows: { "order by a wallet": 1 },
    flowsNotPlayed: ["order approved"],
    troubles: { "call payment-intent.create": { "request.reset": 1 } },
    neverStruck: { "call payment-intent.create": ["request.hang"] },
    notTried: { "call payment-intent.create": ["response.lost"], write: ["crash after"] },
  };
  const { text } = await merge([report({}), report({ ...second, verdict: { unjudged: {}, coverage } })]);
  expect(text).toContain("Flows of customers: 2 of 2 played.");
  expect(text).toMatch(/at calls of the merchant +1 +2 +1 +0\n {2}at writes to its store +1 +0 +0 +1\n/);
  expect(text).not.toContain("Not judged");
});

test("a law is told as never reached only where no shard reached it", async () => {
  const shard = { ...second, verdict: { unjudged: {}, neverReached: ["mine", "stock-freed"] } };
  const { text } = await merge([report({ verdict: { neverReached: ["mine", "ours"] } }), report(shard)]);
  expect(text).toContain("Never reached: mine, stock-freed, because nothing happened that they judge.");
});

test("the remedy of the earliest story is told, whichever shard it comes from", async () => {
  const later = { ...failure, number: 9, misunderstanding: "Keys are optional.", others: [{ ...other, number: 10 }] };
  const { text } = await merge([
    report({ verdict: { failures: [later] } }),
    report({ ...second, verdict: { failures: [{ ...failure, remedy: "Read the status." }] } }),
  ]);
  expect(text).toContain("Remedy: Read the status.");
  expect(text).not.toContain("Likely misunderstanding");
});

test("the whole exam says that no event had an address only if none had one in any shard", async () => {
  const reportWith = (shard: object, eventsWithoutAddress: number) =>
    report({ ...shard, verdict: { coverage: { ...verdict.coverage, eventsWithoutAddress } } });
  const without = await merge([reportWith({}, 3), reportWith(second, 3)]);
  expect(without.text).toContain("\nNo event reached the merchant, because none had an address: ");
  const withSome = await merge([reportWith({}, 3), reportWith(second, 2)]);
  expect(withSome.text).not.toContain("No event reached the merchant");
});

test("the order of the reports does not change what is printed", async () => {
  const one = report({
    verdict: {
      leftOut: { "status-agrees": "it is sold", "access-agrees": "it is open" },
      coverage: { ...verdict.coverage, flows: { "order declined later": 1, "order approved": 1 } },
    },
  });
  const later = report({
    ...second,
    verdict: {
      leftOut: { "status-agrees": "it is lent" },
      coverage: { ...verdict.coverage, flows: { "order declined at once": 1 } },
    },
  });
  const merged = await merge([one, later], "--coverage");
  expect(await merge([later, one], "--coverage")).toEqual(merged);
  expect(merged.text).toContain("Judged in part: status-agrees, because it is lent.");
  const flows = ["order approved", "order declined at once", "order declined later"];
  expect(merged.text).toMatch(new RegExp(flows.map((name) => `${name} +1`).join(String.raw`\n +`)));
});

test("a missing shard is named, and --partial merges what is there", async () => {
  const first = report({ shard: { index: 2, of: 4 } });
  expect(await merge([first])).toEqual({
    code: 2,
    text: "Of shop.exam.ts, shards 1, 3, 4 of 4 are missing. Pass their reports as well, or merge without them with --partial.",
  });
  const { code, text } = await merge([first], "--partial");
  expect(text).toContain("The exam is unfinished: Shards 1, 3, 4 of 4 are missing. No law was broken so far.");
  expect(code).toBe(3);
});

test.for([
  ["that left stories", { left: { flows: 0, stories: 7 } }, "7 stories of its first round were not played."],
  [
    "that left flows",
    { left: { flows: 1, stories: 0 } },
    "1 of its 2 flows was not played, and no story of its first round.",
  ],
  ["that was interrupted", { endedEarly: ["The search was interrupted."] }, "The search was interrupted."],
] as const)("one shard %s makes the whole exam unfinished", async ([, changed, says]) => {
  const { code, text } = await merge([report({}), report({ ...second, verdict: changed })]);
  expect(text).toContain(`The exam is unfinished: ${says} No law was broken so far.`);
  expect(code).toBe(3);
});

test("what two shards left is added up, and a broken law counts more", async () => {
  const left = { left: { flows: 0, stories: 7 } };
  const unfinished = await merge([report({ verdict: left }), report({ ...second, verdict: left })]);
  expect(unfinished.text).toContain("14 stories of its first round were not played.");
  const failed = await merge([report({ verdict: left }), report({ ...second, verdict: { failures: [failure] } })]);
  expect(failed.text).toContain("The exam failed: a law is broken.");
  expect(failed.text).toContain("The search was not finished: 7 stories of its first round were not played.");
  expect(failed.code).toBe(1);
});

test("an exam of which no story was played is unfinished", async () => {
  const none = { stories: 0 };
  const { code, text } = await merge([report({ verdict: none }), report({ ...second, verdict: none })]);
  expect(text).toContain("The exam is unfinished: No story was played.");
  expect(code).toBe(3);
});

test.for([
  [
    "where a shard was broken off",
    [report({}), brokenOff(second.shard)],
    "In 2.json, shard 2/2 of shop.exam.ts could not be examined: process.exit(0) was called.",
  ],
  [
    "where every shard was broken off",
    [brokenOff({ index: 1, of: 1 })],
    "In 1.json, shop.exam.ts could not be examined: process.exit(0) was called.",
  ],
  [
    "with another exam that was broken off",
    [
      report({ notExamined: [{ file: "club.exam.ts", shard: { index: 1, of: 2 }, why: "It threw." }] }),
      report({ ...second, notExamined: [{ file: "club.exam.ts", shard: second.shard, why: "It threw." }] }),
    ],
    "In 1.json, shard 1/2 of club.exam.ts could not be examined: It threw.",
  ],
] as const)("an exam %s is not passed, and the exit code is 2", async ([, texts, says]) => {
  for (const options of [[], ["--partial"]]) {
    const { code, text } = await merge(texts, ...options);
    expect(text).toContain(says);
    expect(code).toBe(2);
  }
});

test("shards without stories are part of an exam in which some were played", async () => {
  expect(await merge([report({}), report({ ...second, verdict: { stories: 0 } })])).toMatchObject({ code: 0 });
});

test("an exam that only some of the reports have is not whole", async () => {
  const { code, text } = await merge([
    report({ notExamined: [{ file: "club.exam.ts", shard: { index: 1, of: 2 }, why: "It threw." }] }),
    report(second),
  ]);
  expect(text).toContain("Of club.exam.ts, shard 2 of 2 is missing.");
  expect(code).toBe(2);
});

test("a report that claims to be one of very many is refused as fast as any other", async () => {
  const { text } = await merge([report({ shard: { index: 1, of: Number.MAX_SAFE_INTEGER } })]);
  expect(text).toMatch(/2, 3, 4, .*, 21 and 9007199254740970 more of 9007199254740991 are missing/);
});

test.for([
  [
    "another seed",
    [report({}), report({ ...second, verdict: { seed: 2 } })],
    "the seed is 1 in 1.json and 2 in 2.json",
  ],
  [
    "the same number as text",
    [report({}), report({ ...second, verdict: { seed: "1" } })],
    'the seed is 1 in 1.json and "1"',
  ],
  [
    "another number of shards",
    [report({}), report({ shard: { index: 2, of: 3 } })],
    "the number of shards is 2 in 1.json",
  ],
  [
    "a law that only a later shard has switched off",
    [report({}), report({ ...second, verdict: { off: ["charged-once"] } })],
    'the list of laws that are switched off is [] in 1.json and ["charged-once"] in 2.json.',
  ],
  [
    "a law of which only a later shard warns",
    [report({}), report({ ...second, verdict: { onlyWarn: ["charged-once"] } })],
    'the list of laws that only warn is [] in 1.json and ["charged-once"] in 2.json.',
  ],
  [
    "an act that only a later shard does not give",
    [report({}), report({ ...second, verdict: { missingActs: ["look"] } })],
    'the list of acts that are not given is [] in 1.json and ["look"] in 2.json.',
  ],
  [
    "reports without an exam",
    [JSON.stringify({ centavo: manifest.version, exams: [], notExamined: [] })],
    "There is no exam in 1.json.",
  ],
  ["a shard twice", [report({}), report({})], "1.json and 2.json are both reports of shard 1/2 of shop.exam.ts."],
  ["another version", [report({ centavo: "99.0.0" })], "1.json was written by Centavo 99.0.0, and this is"],
  [
    "a shard out of range",
    [report({ shard: { index: 3, of: 2 } })],
    "exams[0].shard is an object: its index is beyond the number of shards",
  ],
  ["half a report", [report({}).slice(0, 200)], "1.json is not a report of centavo exam, or was cut short"],
  ["an empty file", [""], "1.json is not a report of centavo exam, or was cut short"],
  ["other JSON", ["[]"], "1.json is not a report of centavo exam"],
  [
    "a negative count",
    [report({ verdict: { stories: -1 } })],
    "exams[0].verdict.stories is -1: it takes a number of at least 0",
  ],
  [
    "a wrong digest",
    [report({ verdict: { digest: "zz" } })],
    'exams[0].verdict.digest is "zz": it takes 64 hexadecimal digits',
  ],
  [
    "a token that is none",
    [report({ verdict: { failures: [{ ...failure, token: "e30" }] } })],
    'exams[0].verdict.failures[0].token is "e30": it takes the token of a story',
  ],
  [
    "a wrong prototype",
    [`{"__proto__":{"centavo":"${manifest.version}","exams":[],"notExamined":[]}}`],
    "1.json is not a report of centavo exam: centavo is missing",
  ],
] as const)("%s is refused, and the exit code is 2", async ([, texts, says]) => {
  const { code, text } = await merge(texts);
  expect(text).toContain(says);
  expect(code).toBe(2);
});

test("what a report says cannot command the terminal", async () => {
  const { text } = await merge([
    report({ verdict: { failures: [{ ...failure, what: "Charged \u001B[2Jtwice." }] } }),
    report(second),
  ]);
  expect(text).toContain(String.raw`Charged \u001b[2Jtwice.`);
});

test("a report that is not there is named", async () => {
  const { code, text } = await centavoIn(mkdtempSync(join(tmpdir(), "centavo-")), "exam", "merge", "1.json");
  expect(text).toMatch(/^The report 1\.json cannot be read: ENOENT/);
  expect(code).toBe(2);
});
