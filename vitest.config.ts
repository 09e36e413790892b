import { join } from "node:path";
import { defineConfig } from "vitest/config";
import type { TestProjectInlineConfiguration } from "vitest/config";
import { entries } from "./scripts/entries.ts";

/** Files that change their process for good: network interception that a client captured, a faked `Date`, modules loaded anew, examples that run as programs. */
const patchesTheProcess = [
  "test/coverage/who-listens-to-journals.test.ts",
  "test/{docs,examples,time-travel,ways-in}/**/*.test.ts",
  "test/faults/{clients-over-*,own-timeouts,the-answer-is-lost}.test.ts",
  "test/{journal,kit}/ways-in.test.ts",
  "test/scenarios/every-way-in.test.ts",
  "test/causes/*.test.ts",
  "test/testing/{calls-of-an-earlier-test,concurrent-tests,memory,refusals-among-concurrent-tests,simulated,with-simulator}.test.ts",
  "test/errors/every-error/*.test.ts",
  "test/{cli/exam{,-files,-merge},matchers/comparing}.test.ts",
];

/** What takes longest: what chance drives, hostile inputs, years of payments, and many processes. `npm run test:slow` runs it. */
const slow = [
  "test/authentication/bounded.test.ts",
  "test/cli/{an-old-node,exam-process,exam-threads,serve-memory,unanswered}.test.ts",
  "test/clock-drivers/{process-end,sequential-callers}.test.ts",
  "test/contract/{generated-client,requests}.test.ts",
  "test/faults/a-hanging-call-keeps-the-process.test.ts",
  "test/coverage/the-lines-reach-what-they-say.test.ts",
  "test/fixtures/{a-world-at-one-moment,every-*,months-of-transactions}.test.ts",
  "test/fuzz/{mutated-worlds,oracle,random-worlds,requests}.test.ts",
  "test/journal/a-bounded-journal.test.ts",
  "test/machines/*-model.test.ts",
  "test/replay/{processes,property,shortened,stories}.test.ts",
  "test/safety/{any-request,redaction-work,regular-expressions,requests-of-any-size,requests-that-two-worlds-share}.test.ts",
  "test/subscriptions/lifecycle-model.test.ts",
  "test/testing/{hostile-deliveries,tokens-kept-across-files}.test.ts",
  "test/webhooks/work-after-the-answer.test.ts",
  "test/worlds/a-bounded-*.test.ts",
];
/** What takes longest of the files above that change their process. */
const slowAndPatchesTheProcess = [
  "test/examples/small-shops.test.ts",
  "test/faults/clients-over-*.test.ts",
  "test/scenarios/every-way-in.test.ts",
  "test/ways-in/{calls-at-once,clients,large-bodies-*}.test.ts",
];

/**
 * What no version of Node changes, and what runs every Node itself. Whatever touches the network, crypto, streams, timers, `fetch`, files,
 * workers or dates runs on each, but for the longest of what chance drives, where a shorter test touches the same.
 */
const sameOnEveryNode = [
  // Texts, lists and tables of the repository, and what is counted or chosen in memory.
  "test/{architecture,assumptions,conformance,declaration,docs,machines,names,release,suites}/**",
  "test/authentication/bounded.test.ts",
  "test/contract/openapi.test.ts",
  "test/coverage/{of-a-simulator,the-lines-reach-what-they-say,who-listens-to-journals}.test.ts",
  "test/errors/every-error/*.test.ts",
  "test/fixtures/{a-world-at-one-moment,every-*,months-of-transactions}.test.ts",
  "test/journal/a-bounded-journal.test.ts",
  "test/safety/requests-that-two-worlds-share.test.ts",
  "test/subscriptions/event-tables.test.ts",
  "test/transactions/{filters,ledger,order-and-pages}.test.ts",
  "test/worlds/a-bounded-*.test.ts",
  // What chance drives.
  "test/fuzz/**",
  "test/**/*-{model,property}.test.ts",
  "test/causes/report.test.ts",
  "test/contract/{generated-client,requests}.test.ts",
  "test/engine/timers-behave-like-a-sorted-list.test.ts",
  "test/faults/{planning,that-never-fire}.test.ts",
  "test/replay/{shortened,stories}.test.ts",
  "test/safety/{any-request,redaction-work,regular-expressions}.test.ts",
  "test/testing/hostile-deliveries.test.ts",
  // What runs every Node itself, or what the exam's tests and those of the package do on each.
  "test/cli/exam.test.ts",
  "test/examples/small-shops.test.ts",
  "test/replay/processes.test.ts",
  "test/scenarios/frozen-digests.test.ts",
];

/** Stories of the exam by the hundred; `npm run test:exam` runs them. */
const exams = ["test/exam/**/*.test.ts"];
/** Every honest merchant in a thousand worlds; `npm run test:seeds` runs them. */
const thousandSeeds = ["test/exam/honest/seeds-*.slow.test.ts"];
const everything = "test/**/*.test.ts";
/** What runs by its own name alone. */
const apart = ["test/{browser,package,packed-examples,runners,site,soak,types}/**", ...exams];

export default defineConfig({
  resolve: {
    // The public names lead to the sources, in the examples of the documents too.
    alias: entries.map(({ name, source }) => ({
      find: new RegExp(`^${name}$`),
      replacement: join(import.meta.dirname, source),
    })),
  },
  test: {
    globals: false,
    retry: 0,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    maxWorkers: 2,
    projects: [
      ...projects("suite", [...slow, ...slowAndPatchesTheProcess]),
      ...projects("core", sameOnEveryNode),
      project("slow", { include: slow, isolate: false }),
      project("slow-isolated", { include: slowAndPatchesTheProcess }),
      project("package", { include: ["test/package/*.test.ts"], setupFiles: [] }),
      project("runners", {
        include: ["test/runners/*.test.ts"],
        setupFiles: [],
        globalSetup: ["test/runners/install-once.ts"],
        testTimeout: 60_000,
      }),
      project("browser", { include: ["test/browser/*.test.ts"], testTimeout: 60_000 }),
      // Two shops at a time: a runner is a process of its own.
      project("examples", {
        include: ["test/packed-examples/*.test.ts"],
        setupFiles: [],
        globalSetup: ["test/packed-examples/install-once.ts"],
        maxConcurrency: 2,
      }),
      // Two compilers at a time, for they take a processor and half a gigabyte each.
      project("types", { include: ["test/types/*.test.ts"], setupFiles: [], maxConcurrency: 2 }),
      project("exam", { include: exams, exclude: thousandSeeds, testTimeout: 600_000 }),
      project("seeds", { include: thousandSeeds, testTimeout: 600_000 }),
      project("site", { include: ["test/site/*.test.ts"], setupFiles: [], testTimeout: 60_000 }),
      project("soak", { include: ["test/soak/*.test.ts"], setupFiles: [], testTimeout: 600_000 }),
    ],
  },
});

/** A suite in two projects: most files share a process, which imports the product once; the others have one of their own. */
function projects(name: string, exclude: readonly string[]): TestProjectInlineConfiguration[] {
  return [
    project(name, { include: [everything], exclude: [...apart, ...patchesTheProcess, ...exclude], isolate: false }),
    project(`${name}-isolated`, { include: patchesTheProcess, exclude: [...apart, ...exclude] }),
  ];
}

function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return { extends: true, test: { name, setupFiles: ["test/contract/setup.ts"], ...test } };
}
