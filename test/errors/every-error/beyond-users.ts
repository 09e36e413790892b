const AUTHOR = "the author of a service on the kit has made a mistake in it";
const IN_A_STORY = "it is made in the process of a story, which test/cli plays";
const DEFECT = "it would be a defect in Centavo itself";

/** Why no user reaches a place that makes an error, by its file and function, in the order of the sources. */
export const beyondUsers: Readonly<Record<string, string>> = {
  "adapters/msw.ts handleAll": "it needs MSW 1, in which test/beside/ways-in/beside-msw-1.test.ts runs",
  "adapters/network/interceptors.ts applySource":
    "the installed @mswjs/interceptors would have to be one that package.json does not allow",
  "adapters/network/library.ts loadLibrary": "it needs a bundle, as test/runners/bundlers.test.ts makes them",
  "cli/exam-files.ts tooLate": "it takes a minute of real time",
  "cli/play-stories.ts constructor": IN_A_STORY,
  "cli/standstill.ts withinPatience": IN_A_STORY,
  "exam/playing/interception.ts loadInterception":
    "the interceptors load wherever the exam does, but for a CommonJS Jest, whose tests are another process",
  "fixtures/event.ts deliveryOf": "a bounded world keeps at least the newest 64 events, so the one just made is there",
  "inspected/inspect.ts inspect":
    "it needs a machine without a folder for temporary files, as test/inspected/inspect.test.ts makes it",
  "kit/declaration/define-service.ts defineService": AUTHOR,
  "kit/engine/engine.ts publish": AUTHOR,
  "kit/engine/facts.ts drain": AUTHOR,
  "kit/engine/history.ts finish": AUTHOR,
  "kit/engine/lifecycle-rows.ts create": AUTHOR,
  "kit/engine/lifecycle-rows.ts #step": "a command asks whether the row is there and takes the input before it steps",
  "kit/engine/lifecycle.ts #stepBy": AUTHOR,
  "kit/engine/lifecycle.ts #effectOf": AUTHOR,
  "kit/engine/lifecycle.ts #timer": AUTHOR,
  "kit/engine/lifecycle.ts #defect": AUTHOR,
  "kit/engine/machine.ts inputsOf": AUTHOR,
  "kit/engine/random.ts below": AUTHOR,
  "kit/engine/table.ts #index": AUTHOR,
  "kit/engine/timer-handler.ts run": AUTHOR,
  "kit/engine/timers.ts schedule": AUTHOR,
  "kit/engine/timers.ts neverDue": AUTHOR,
  "kit/engine/undo-log.ts run": AUTHOR,
  "kit/engine/undo-log.ts record": DEFECT,
  "kit/engine/world-parts.ts table": AUTHOR,
  "kit/engine/world-parts.ts copyFrom": DEFECT,
  "server/state/sqlite.ts loadSqlite":
    "it needs a Node without SQLite, as test/server/state/sqlite-is-loaded-with-the-first-file.test.ts starts it",
  "server/state/state.ts play": "a server restores the worlds that its file has",
  "server/state/state.ts #write": "it needs a full disk, which test/server/state/a-full-disk.test.ts makes",
  "service/payment-intents/owners.ts register": DEFECT,
  "service/payment-intents/owners.ts of": DEFECT,
  "simulator/acts.ts everyActOn": AUTHOR,
  "testing/coverage/vitest-reporter.ts onInit": "it needs vitest 2, in which test/runners/coverage.test.ts runs",
  "testing/matchers/paid-once.ts paymentsOf": "a bounded world forgets a payment together with its transaction",
  "testing/test-network.ts openNetwork": "it needs a browser, in which test/browser/vitest-in-a-browser.test.ts runs",
  "testing/vitest-matchers.ts snapshots": "it needs vitest 4.0, in which test/runners/matchers.test.ts runs",
  "testing/with-simulator.ts withSimulator": "it needs vitest 0.34, in which test/runners/vitest-0.test.ts runs",
};
