import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CoverageReporter } from "centavo/vitest-reporter";
import manifest from "../../../package.json" with { type: "json" };
import { unreadableModule } from "../../../src/cli/load-stories.ts";
import { withoutStandstill } from "../../../src/cli/standstill.ts";
import { writeTest } from "../../../src/cli/write-test.ts";
import { centavoIn } from "../../cli/commands.ts";
import type { Cause, Causes } from "./cause.ts";
import { newFolder } from "./folder.ts";

const STORY = 'export default { title: "A card pays", options: {}, script: () => undefined };\n';

/** Writes a test of an exam in place of a file. */
const writing =
  (file: string): Cause =>
  async () => {
    const directory = newFolder();
    writeFileSync(join(directory, "shop.exam.ts"), "export default {};");
    const verdict = { failures: [], warnings: [], seed: 1 };
    writeTest(verdict as never, { exam: "shop.exam.ts", file, directory });
  };

/** Runs a command in a folder with these files, and returns what it prints: its result, or else its complaint. */
const printing =
  (args: readonly string[], files: Readonly<Record<string, string>> = {}): Cause =>
  async () => {
    const folder = newFolder();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    const { text, errors = "" } = await centavoIn(folder, ...args);
    return text === "" ? errors : text;
  };

const shaking = (...words: readonly string[]): Cause => printing(["shake", ...words]);

const evaluating = (program: string): readonly string[] => ["node", "--eval", program];
const SAYS_IT_WAITS = 'console.log("Waiting for file changes...");';
const STAYS = "setInterval(() => {}, 1000)";

/** A suite whose only test ends in a way. */
const suiteThat = (is: string, version: string = manifest.version): readonly string[] =>
  evaluating(
    `require("node:fs").writeFileSync(process.env.CENTAVO_SHAKE_FOLDER + "/run-0/a.json", '${JSON.stringify({ centavo: version, test: { title: "pays", ordinal: 1, key: "a" }, outcome: { is }, calls: [], events: [], payments: [], charges: [], booksRead: [] })}')`,
  );
const FAILING_SUITE = suiteThat("failed");
const PASSING_SUITE = suiteThat("passed");
const TOKEN_OF_SHAKE = btoa(JSON.stringify(["b", "event", "checkout.completed", 1, "webhook.duplicate"])).replaceAll(
  "=",
  "",
);

const TOKEN_OF_VARIATION = btoa(JSON.stringify(["b", "assumption", "http.envelope", "c"])).replaceAll("=", "");

const TOKEN = btoa(JSON.stringify({ flow: "order approved" })).replaceAll("=", "");

/** Runs `centavo exam shop.exam.ts` with more words, in a repository whose first commit has no exam. */
const proving =
  (...words: readonly string[]): Cause =>
  async () => {
    const folder = newFolder();
    const author = ["-c", "user.name=A", "-c", "user.email=a@shop.example"];
    for (const args of [
      ["init", "--quiet"],
      [...author, "commit", "--quiet", "--allow-empty", "--message", "Begin"],
    ])
      execFileSync("git", ["-C", folder, ...args]);
    for (const name of ["shop.exam.ts", "other.exam.ts"]) writeFileSync(join(folder, name), "export default {};");
    return (await centavoIn(folder, "exam", "shop.exam.ts", ...words)).text;
  };

const withoutGit: Cause = async (sim) => {
  const { PATH } = process.env;
  process.env["PATH"] = "";
  try {
    return await printing(["exam", "shop.exam.ts", "--prove", TOKEN, "--before", "HEAD"], { "shop.exam.ts": "" })(sim);
  } finally {
    process.env["PATH"] = PATH;
  }
};

const onATakenPort: Cause = async () => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { text } = await centavoIn(newFolder(), "serve", "--port", String(port));
    return text;
  } finally {
    server.close();
  }
};

const anUnknownExtension = Object.assign(new TypeError('Unknown file extension ".ts" for /shop/scenarios/card.ts'), {
  code: "ERR_UNKNOWN_FILE_EXTENSION",
});

const reportOf = (shard: object, changed: object = {}): string => {
  const coverage = {
    flows: {},
    flowsNotPlayed: [],
    troubles: {},
    neverStruck: {},
    notTried: {},
    moves: {},
    events: {},
    eventsWithoutAddress: 0,
    errors: {},
  };
  const pace = { storiesPerSecond: 1, seconds: 1, merchantShare: 0.5 };
  const lists = { failures: [], warnings: [], off: [], onlyWarn: [], missingActs: [] };
  const verdict = {
    ...lists,
    stories: 1,
    left: { flows: 0, stories: 0 },
    endedEarly: [],
    seed: 1,
    unjudged: {},
    leftOut: {},
    neverReached: [],
    coverage,
    digest: "0".repeat(64),
    ...changed,
  };
  return JSON.stringify({
    centavo: manifest.version,
    exams: [{ file: "shop.exam.ts", shard, pace, verdict }],
    notExamined: [],
  });
};

/** What goes wrong on the command line. */
export const commandCauses: Causes = {
  INVALID_OPTION: {
    "centavo serve with a host that is a URL": printing(["serve", "--allow-host", "http://centavo"]),
    "centavo exam: a test that is no source file": writing("shop.txt"),
    "centavo exam: a test in place of another file": writing("shop.exam.ts"),
    "centavo exam: one test of several exams": printing(["exam", ".", "--write-test", "shop.test.ts"], {
      "one.exam.ts": "export default {};",
      "two.exam.ts": "export default {};",
    }),
    "centavo exam: a runner without a test": printing(["exam", "shop.exam.ts", "--runner", "node"], {
      "shop.exam.ts": "export default {};",
    }),
    "centavo exam: a proof without a commit": proving("--prove", TOKEN),
    "centavo exam: a proof with a report": proving("--prove", TOKEN, "--before", "HEAD", "--report", "exam.json"),
    "centavo exam: a proof of several exams": proving(".", "--prove", TOKEN, "--before", "HEAD"),
    "centavo coverage: a threshold that is no percentage": printing(["coverage", "--threshold", "states=101"]),
    "centavo coverage: a kind of resource that does not exist": printing(["coverage", "--only", "subscripton"]),
    "centavo/vitest-reporter: no kind of resource": () => new CoverageReporter({ only: [] }),
    "centavo coverage: no coverage file": printing(["coverage", "one.jsonl"], { "one.jsonl": "[]\n" }),
    "centavo coverage: a file of another version": printing(["coverage", "one.jsonl"], {
      "one.jsonl": '{"centavo":"9.0.0"}\n',
    }),
    "centavo coverage: a file that cannot be written": printing(
      ["coverage", "one.jsonl", "--json", "one.jsonl/b.json"],
      {
        "one.jsonl": `{"centavo":"${manifest.version}"}\n`,
      },
    ),
    "centavo/vitest-reporter: a folder that is none": () => new CoverageReporter({ folder: "" }),
    "centavo run --record with a file": printing(["run", "--record", "notes.txt"], {
      "notes.txt": "",
      "scenarios/card.ts": STORY,
    }),
    "centavo run --update-digests without a file": printing(["run", "--update-digests"]),
    "centavo run --update-digests with a seed": printing(
      ["run", "--update-digests", "--digests", "digests.json", "--seed", "2"],
      { "scenarios/card.ts": STORY },
    ),
    "centavo run --update-digests with assumptions": printing(
      ["run", "--update-digests", "--digests", "digests.json", "--assumptions", "assumptions.json"],
      { "scenarios/card.ts": STORY, "assumptions.json": "{}" },
    ),
    "centavo run --digests with half a file": printing(["run", "--digests", "digests.json"], {
      "scenarios/card.ts": STORY,
      "digests.json": '{"card":',
    }),
    "centavo run --digests with another file": printing(["run", "--digests", "package.json"], {
      "scenarios/card.ts": STORY,
      "package.json": '{"private":true}',
    }),
    "centavo run --digests with two stories of one name": printing(
      ["run", ".", "--digests", "digests.json", "--way", "memory"],
      { "cards/pays.mjs": STORY, "wallets/pays.mjs": STORY },
    ),
    "centavo shake: no test has a simulator": shaking("--", "node", "--eval", "0"),
    "centavo shake: the runner is told to wait for changes": shaking("--", "npx", "vitest", "--watch"),
    "centavo shake: the runner waits for changes": shaking("--", ...evaluating(`${SAYS_IT_WAITS}${STAYS}`)),
    "centavo shake: the first run does not end": shaking("--seconds", "1", "--", ...evaluating(STAYS)),
    "centavo shake: the first run is killed": shaking("--", ...evaluating('process.kill(process.pid, "SIGKILL")')),
    "centavo shake --html of a folder": shaking("--html", ".", "--", "node", "--version"),
    "centavo shake: every test fails": shaking("--", ...FAILING_SUITE),
    "centavo shake: on Windows": async (sim) => {
      const { platform } = process;
      Object.defineProperty(process, "platform", { value: "win32" });
      try {
        return await shaking("--", "node", "--version")(sim);
      } finally {
        Object.defineProperty(process, "platform", { value: platform });
      }
    },
    "centavo shake --replay in another suite": shaking("--replay", TOKEN_OF_SHAKE, "--", ...PASSING_SUITE),
    "centavo shake: nothing to strike at": shaking("--", ...PASSING_SUITE),
    "centavo shake --only of a kind that strikes nowhere": shaking("--only", "tokens", "--", ...PASSING_SUITE),
    "centavo shake --only with a space": shaking("--only", "lost-answers,", "events-twice", "--", "node", "--version"),
    "centavo shake: tests of another version": shaking("--", ...suiteThat("passed", "0.0.9")),
    "centavo shake: no such command": shaking("--", "no-such-runner"),
    "centavo shake --replay of no token": shaking("--replay", "e30", "--", "node", "--version"),
    "centavo shake --only of no kind": shaking("--only", "lost-answer", "--", "node", "--version"),
    "centavo shake --baseline of no file": shaking("--baseline", "shake.json", "--", "node", "--version"),
    "centavo shake --baseline of another file": printing(
      ["shake", "--baseline", "package.json", "--", "node", "--version"],
      { "package.json": '{"private":true}' },
    ),
    "centavo shake --fail-on reliances without --vary": shaking("--fail-on", "reliances", "--", "node", "--version"),
    "centavo shake --vary with blind spots": shaking("--vary", "--blind-spots", "--", "node", "--version"),
    "centavo shake --vary with money": shaking("--vary", "--fail-on", "money", "--", "node", "--version"),
    "centavo shake --vary --only of a fixed assumption": shaking(
      "--vary",
      "--only",
      "auth.jwt",
      "--",
      "node",
      "--version",
    ),
    "centavo shake --vary --only of no assumption": shaking(
      "--vary",
      "--only",
      "http.error-state",
      "--",
      "node",
      "--version",
    ),
    "centavo shake --vary --only of a kind of trouble": shaking(
      "--vary",
      "--only",
      "lost-answers",
      "--",
      "node",
      "--version",
    ),
    "centavo shake --only of an assumption": shaking("--only", "http.envelope", "--", "node", "--version"),
    "centavo shake --vary --replay of no token": shaking("--vary", "--replay", "xyz", "--", "node", "--version"),
    "centavo shake --vary --replay of a trouble": shaking(
      "--vary",
      "--replay",
      TOKEN_OF_SHAKE,
      "--",
      "node",
      "--version",
    ),
    "centavo shake --vary --only with a space": shaking(
      "--vary",
      "--only",
      "http.cors,",
      "http.envelope",
      "--",
      "node",
      "--version",
    ),
    "centavo shake --vary: nothing to vary": shaking("--vary", "--", ...PASSING_SUITE),
    "centavo shake --vary --only of what no test rests on": shaking(
      "--vary",
      "--only",
      "http.cors,http.envelope",
      "--",
      ...PASSING_SUITE,
    ),
    "centavo shake --replay of another answer in another suite": shaking(
      "--replay",
      TOKEN_OF_VARIATION,
      "--",
      ...PASSING_SUITE,
    ),
    "centavo exam --replay with two files": printing(["exam", "--replay", "e30", "a.exam.ts", "b.exam.ts"], {
      "a.exam.ts": "",
      "b.exam.ts": "",
    }),
    "centavo exam --replay with a shard": printing(["exam", "--replay", "e30", "--shard", "1/2", "a.exam.ts"], {
      "a.exam.ts": "",
    }),
    "centavo exam merge of half a report": printing(["exam", "merge", "1.json"], { "1.json": '{"centavo":' }),
    "centavo exam merge of another file": printing(["exam", "merge", "1.json"], {
      "1.json": reportOf({ index: 1, of: 2 }, { stories: -1 }),
    }),
    "centavo exam merge of a list": printing(["exam", "merge", "1.json"], { "1.json": "[]" }),
    "centavo exam merge of a report that misses a part": printing(["exam", "merge", "1.json"], {
      "1.json": reportOf({ index: 1, of: 2 }, { coverage: undefined }),
    }),
    "centavo exam merge of a shard beyond the last": printing(["exam", "merge", "1.json"], {
      "1.json": reportOf({ index: 3, of: 2 }),
    }),
    "centavo exam merge of another version": printing(["exam", "merge", "1.json"], { "1.json": '{"centavo":"0.0.1"}' }),
    "centavo exam merge of other seeds": printing(["exam", "merge", "1.json", "2.json"], {
      "1.json": reportOf({ index: 1, of: 2 }),
      "2.json": reportOf({ index: 2, of: 2 }, { seed: 2 }),
    }),
    "centavo exam merge of a shard twice": printing(["exam", "merge", "1.json", "2.json"], {
      "1.json": reportOf({ index: 1, of: 2 }),
      "2.json": reportOf({ index: 1, of: 2 }),
    }),
    "centavo exam merge without an exam": printing(["exam", "merge", "1.json"], {
      "1.json": JSON.stringify({ centavo: manifest.version, exams: [], notExamined: [] }),
    }),
    "centavo exam merge without a shard": printing(["exam", "merge", "1.json"], {
      "1.json": reportOf({ index: 2, of: 4 }),
    }),
    "centavo serve at a port that is taken": onATakenPort,
    "centavo serve at an address of another machine": printing(["serve", "--port", "0", "--host", "203.0.113.1"]),
    "centavo serve with credentials that are not JSON": printing(["serve", "--credentials", "shop.json"], {
      "shop.json": "clientId: shop",
    }),
    "centavo serve with credentials that are no object": printing(["serve", "--credentials", "shop.json"], {
      "shop.json": "[]",
    }),
    "centavo serve with faults that are no list": printing(["serve", "--faults", "faults.json"], {
      "faults.json": '{ "kind": "response.lost" }',
    }),
  },
  INVALID_FAULT: {
    "centavo serve with a fault that is misspelt": printing(["serve", "--faults", "faults.json"], {
      "faults.json": '[{ "kind": "response.lots" }]',
    }),
  },
  INVALID_STATE: {
    "centavo exam: a proof without git": withoutGit,
    "centavo run: a story that stands still": (sim) => withoutStandstill(new Promise(() => undefined), sim, 200),
    "centavo run: TypeScript in an older Node": () => {
      throw unreadableModule(anUnknownExtension, "v22.17.0") ?? new Error("It is readable.");
    },
    "centavo run: an ES module in a CommonJS package": () => {
      throw unreadableModule(new SyntaxError("Unexpected token 'export'")) ?? new Error("It is readable.");
    },
  },
  NOT_FOUND: {
    "centavo exam: a proof from a commit that does not exist": proving("--prove", TOKEN, "--before", "nowhere"),
    "centavo exam: a proof from a commit without the exam": proving("--prove", TOKEN, "--before", "HEAD"),
    "centavo coverage: no coverage": printing(["coverage"]),
    "centavo doctor: no project": printing(["doctor"]),
    "centavo doctor: a folder that does not exist": printing(["doctor", "--directory", "packages/shpo"]),
    "centavo doctor: a command that does not exist": printing(["doctor", "--json", "--port", "0", "--", "vitst"], {
      "package.json": "{}",
    }),
    "centavo exam of a file that is not there": printing(["exam", "shpo.exam.ts"], { "shop.exam.ts": "" }),
    "centavo exam of a folder without exams": printing(["exam", "scenarios"], { "scenarios/card.ts": STORY }),
    "centavo exam of a file without a default export": printing(["exam", "shop.exam.mjs", "--jobs", "1"], {
      "shop.exam.mjs": "export const exam = {};",
    }),
    "centavo exam of a default export that is no exam": printing(["exam", "shop.exam.mjs", "--jobs", "1"], {
      "shop.exam.mjs": "export default () => undefined;",
    }),
    "centavo exam merge of a file that is not there": printing(["exam", "merge", "1.json"]),
    "centavo replay of a folder": printing(["replay", "recordings"], { "recordings/card.json": "{}" }),
    "centavo replay of a file that is not there": printing(["replay", "crad.json"], { "card.json": "{}" }),
    "centavo run of a file that is not there": printing(["run", "scenarios/card.ts"]),
    "centavo run without stories": printing(["run"]),
    "centavo run of a name without stories": printing(["run", "storys"], { "stories/card.ts": STORY }),
    "centavo run of a file without a story": printing(["run", "card.mjs"], { "card.mjs": "export const card = 1;" }),
    "centavo serve with a story that is not there": printing(["serve", "--story", "nowhere.mjs"]),
    "centavo serve with a file without a story": printing(["serve", "--story", "card.mjs"], {
      "card.mjs": "export const card = 1;",
    }),
    "centavo run of an unknown name": printing(["run", "crad"], { "scenarios/card.ts": STORY }),
  },
};
