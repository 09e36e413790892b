import { join } from "node:path";
import { defineConfig } from "vitest/config";
import type { TestProjectInlineConfiguration } from "vitest/config";
import { entries } from "./scripts/entries.ts";
import { isNight } from "./test/by-night.ts";

/**
 * Files that change their process for good: network interception that a client captured, a faked `Date`, modules loaded anew, examples that run as programs.
 * Files that look at what another may have left in their process: whether anybody listens to journals.
 */
const patchesTheProcess = [
  "test/authentication/signatures.test.ts",
  "test/coverage/who-listens-to-journals.test.ts",
  "test/{docs,examples,time-travel,ways-in}/**/*.test.ts",
  "test/faults/the-answer-is-lost.test.ts",
  "test/{journal,kit}/ways-in.test.ts",
  "test/inspector/following-a-run.test.ts",
  "test/remote/journal-stream.test.ts",
  "test/scenarios/every-way-in.test.ts",
  "test/shake/*.test.ts",
  "test/safety/addresses-in-messages.test.ts",
  "test/server/state/a-file-that-cannot-be-written.test.ts",
  "test/causes/*.test.ts",
  "test/testing/{a-stray-poller,calls-of-an-earlier-test,concurrent-tests,dropped-hosts-fail-no-test,memory,simulated,with-simulator,tests-of-one-title}.test.ts",
  "test/errors/every-error/*.test.ts",
  "test/cli/{exam,exam-files,exam-merge,prove,write-test}.test.ts",
];

/** What takes longest: what chance drives, hostile inputs, years of payments, and many processes. `npm run test:slow` runs it. */
const slow = [
  "test/authentication/bounded.test.ts",
  "test/cli/{a-story-may-*,an-interrupted-run,an-old-node,digests,exam-process,exam-threads,files-that-are-devices,json,output-that-is-not-read,replay,results-for-other-programs,run,run-merchant*,serve-memory,serve-stops,serve-story,trigger-process,unanswered,write-test}.test.ts",
  "test/clock-drivers/{process-end,sequential-callers}.test.ts",
  "test/contract/requests.test.ts",
  "test/doctor/a-run-of-a-suite.test.ts",
  "test/faults/a-hanging-call-keeps-the-process.test.ts",
  "test/coverage/{of-a-simulator,the-lines-reach-what-they-say}.test.ts",
  "test/fixtures/{a-world-at-one-moment,every-*,months-of-transactions}.test.ts",
  "test/fuzz/{mutated-worlds,oracle,random-worlds,requests}.test.ts",
  "test/journal/a-bounded-journal.test.ts",
  "test/inspected/{inspect,nothing-without-the-variable,what-goes-wrong-fails-no-test}.test.ts",
  "test/machines/*-model.test.ts",
  "test/replay/{processes,property,shortened,stories}.test.ts",
  "test/scenarios/the-program-plays-every-story.test.ts",
  "test/safety/{any-request,redaction-work,requests-of-any-size,requests-that-two-worlds-share}.test.ts",
  "test/server/state/{a-killed-server,sqlite-is-loaded-with-the-first-file,the-worlds-of-a-file}.test.ts",
  "test/testing/{hostile-deliveries,tokens-kept-across-files}.test.ts",
  "test/traffic/record-process.test.ts",
  "test/webhooks/work-after-the-answer.test.ts",
  "test/worlds/a-bounded-*.test.ts",
];
/** What takes longest of the files above that change their process. */
const slowAndPatchesTheProcess = [
  "test/{causes/runners,cli/exam,cli/prove,scenarios/every-way-in,shake/{honest-merchants,hostile-merchants,planted-bugs,stories,the-command,the-ends-of-a-run,the-same-twice,the-example-shop,under-other-answers}}.test.ts",
];

/** What touches the network, streams, timers or processes, which the lowest and the newest Node may do in another way. */
const differsByNode = [
  "test/{clock-drivers,receivers,webhook-signatures}/*.test.ts",
  "test/cli/serve*.test.ts",
  "test/client/errors.test.ts",
  "test/faults/{a-hanging-call-keeps-the-process,calls-that-hang-are-pending,held-*,in-memory}.test.ts",
  "test/server/state/{a-file-that-is-*,a-file-with-*,a-fork-*,a-full-*,what-leaves-*}.test.ts",
  "test/testing/{next-app-without-its-private-parts,start-merchant}.test.ts",
  "test/webhooks/{calling-back,concurrent,delivery,fail*,work-after-the-answer}.test.ts",
];
/** What of it takes longest. By day only the pinned Node runs it. */
const differsByNodeByNight = [
  "test/beside/faults/{clients-over-msw,own-timeouts}.test.ts",
  "test/beside/ways-in/{calls-at-once,calls-that-outlive-their-interception,clients,large-bodies-over-msw}.test.ts",
  "test/cli/serve-memory.test.ts",
  "test/clock-drivers/{process-end,sequential-callers}.test.ts",
  "test/faults/a-hanging-call-keeps-the-process.test.ts",
  "test/scenarios/every-way-in.test.ts",
  "test/webhooks/work-after-the-answer.test.ts",
];
const leftToTheNight = isNight ? [] : differsByNodeByNight;
/** What of it changes its process. */
const differsByNodeAndPatchesTheProcess = [
  "test/{beside/faults,beside/receivers,beside/ways-in,ways-in}/*.test.ts",
  "test/{authentication/signatures,faults/the-answer-is-lost,kit/ways-in,scenarios/every-way-in,server/state/a-file-that-cannot-be-written}.test.ts",
  "test/testing/{calls-of-an-earlier-test,concurrent-tests,simulated,with-simulator}.test.ts",
  "test/time-travel/{fake-timers-on-top-of-others,sleeps-and-timeouts,the-process-date-follows-the-virtual-clock}.test.ts",
];
/** Stories of the exam by the hundred; `npm run test:exam` runs them. */
const exams = ["test/exam/**/*.test.ts"];
/** Every honest merchant in a thousand worlds, and rows that repeat what another file shows; `npm run test:nightly` runs them. */
const nightly = ["test/**/*.nightly.test.ts"];
/** What runs by its own name alone. */
const apart = [
  ...nightly,
  "test/{beside,browser,package,packed-examples,runners,site,soak,types}/**",
  "test/examples/small-shops.test.ts",
];

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
    // A busy machine breaks no test: these limits are for what never ends.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    pool: "forks",
    // One more than processors, because tests of commands, threads and timers wait much of their time.
    maxWorkers: 3,
    projects: [
      // Most files share a process, which imports the product once. The others have one of their own.
      project("suite", {
        include: ["test/**/*.test.ts"],
        exclude: [...apart, ...exams, ...patchesTheProcess, ...slow, ...slowAndPatchesTheProcess],
        isolate: false,
      }),
      project("suite-isolated", {
        include: patchesTheProcess,
        exclude: [...apart, ...slow, ...slowAndPatchesTheProcess],
      }),
      project("slow", { include: slow, exclude: nightly, isolate: false }),
      project("slow-properties", {
        include: ["test/**/*.property.test.ts"],
        isolate: false,
        env: { PROPERTY_HALF: "second" },
      }),
      project("slow-isolated", { include: slowAndPatchesTheProcess }),
      project("core", {
        include: differsByNode,
        exclude: leftToTheNight,
        isolate: false,
      }),
      project("core-isolated", { include: differsByNodeAndPatchesTheProcess, exclude: leftToTheNight }),
      project("beside", { include: ["test/beside/**/*.test.ts"], exclude: [...nightly, "**/node_modules/**"] }),
      project("package", { include: ["test/package/*.test.ts"], setupFiles: [] }),
      project("runners", {
        include: ["test/runners/*.test.ts"],
        setupFiles: [],
        globalSetup: ["test/runners/install-once.ts"],
      }),
      project("browser", { include: ["test/browser/*.test.ts"] }),
      // Two shops at a time: a runner is a process of its own.
      project("examples", {
        include: ["test/packed-examples/*.test.ts", "test/examples/small-shops.test.ts"],
        setupFiles: [],
        globalSetup: ["test/packed-examples/install-once.ts"],
        maxConcurrency: 2,
      }),
      // Two compilers at a time, for they take a processor and half a gigabyte each.
      project("types", { include: ["test/types/*.test.ts"], setupFiles: [], maxConcurrency: 2 }),
      project("exam", { include: exams, exclude: nightly }),
      project("nightly", { include: nightly, testTimeout: 3_600_000 }),
      project("site", { include: ["test/site/*.test.ts"], setupFiles: [] }),
      project("soak", { include: ["test/soak/*.test.ts"], exclude: nightly, setupFiles: [] }),
    ],
  },
});

function project(name: string, test: TestProjectInlineConfiguration["test"]): TestProjectInlineConfiguration {
  return { extends: true, test: { name, setupFiles: ["test/contract/setup.ts"], ...test } };
}
