const AUTHOR = "the author of a service on the kit has made a mistake in it";
const DEFECT = "it would be a defect in Centavo itself";

/** Why no user reaches a place that makes an error, by its file and function, in the order of the sources. */
export const beyondUsers: Readonly<Record<string, string>> = {
  "adapters/network/interceptors.ts applySource":
    "the installed @mswjs/interceptors would have to be one that package.json does not allow",
  "declaration/service.ts defineService": AUTHOR,
  "engine/engine.ts publish": AUTHOR,
  "engine/facts.ts drain": AUTHOR,
  "engine/history.ts finish": AUTHOR,
  "engine/lifecycle-rows.ts create": AUTHOR,
  "engine/lifecycle-rows.ts #step": "a command asks whether the row is there and takes the input before it steps",
  "engine/lifecycle.ts constructor": AUTHOR,
  "engine/lifecycle.ts #node": AUTHOR,
  "engine/lifecycle.ts #act": AUTHOR,
  "engine/lifecycle.ts #timer": AUTHOR,
  "engine/lifecycle.ts #spawn": AUTHOR,
  "engine/lifecycle.ts #defect": AUTHOR,
  "engine/machine.ts inputsOf": AUTHOR,
  "engine/random.ts below": AUTHOR,
  "engine/table.ts #requireFreeKeys": AUTHOR,
  "engine/table.ts #index": AUTHOR,
  "engine/timer-handler.ts run": AUTHOR,
  "engine/timers.ts schedule": AUTHOR,
  "engine/timers.ts neverDue": AUTHOR,
  "engine/undo-log.ts run": AUTHOR,
  "engine/undo-log.ts record": DEFECT,
  "engine/world-parts.ts table": AUTHOR,
  "engine/world-parts.ts replaceBy":
    "what a snapshot may hold is checked before it replaces the world; a failure after that is a defect",
  "engine/world-parts.ts copyFrom": DEFECT,
  "exam/stage/interception.ts loadInterception":
    "the interceptors load wherever the exam does, but for a CommonJS Jest, whose tests are another process",
  "fixtures/event.ts deliveryOf": "a bounded world keeps at least the newest 64 events, so the one just made is there",
  "service/payment-intents/owners.ts register": DEFECT,
  "service/payment-intents/owners.ts of": DEFECT,
  "simulator/acts.ts everyActOn": AUTHOR,
  "testing/matchers/paid-once.ts paymentsOf": "a bounded world forgets a payment together with its transaction",
  "testing/vitest-matchers.ts snapshots": "it needs vitest 4.0, in which test/runners/matchers.test.ts runs",
};
