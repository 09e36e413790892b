import type { Cause } from "./cause.ts";
import { counted, quoted } from "./wording.ts";

/** What a test or an app began and nobody waited for. */
export const unawaitedCauses: readonly Cause[] = [
  {
    name: "missing-await",
    looksAt:
      "visits, acts of the customer and moves of the clock that had not ended when the clock moved or an assertion failed",
    explanation:
      "`visit`, the acts of `sim.customer` and the calls of `sim.clock` return promises. Without `await`, the test goes on before they have done anything: the clock settles what is not there yet, and the assertion looks too early. Await each call before the next.",
    find: ({ testCalls: { open, overtaken }, timers, now, thrown, of }) => {
      if (thrown?.isAssertion !== true) return undefined;
      const [call] = open;
      if (overtaken !== undefined && of("fault").every(({ details }) => details.act !== "hold")) {
        const isCertain = call !== undefined || timers.some(({ at }) => at <= now);
        return {
          sentence: `${quoted(overtaken.call)} was still under way when ${quoted(overtaken.by)} was called: it was not awaited`,
          wayOut: `write await before ${quoted(overtaken.call)}`,
          weight: isCertain ? "explains" : "likely",
        };
      }
      if (call === undefined) return undefined;
      return {
        sentence: `${quoted(call)} was still under way when the assertion failed: it was not awaited`,
        wayOut: `write await before ${quoted(call)}`,
        weight: "explains",
      };
    },
  },
  {
    name: "threw-after-the-answer",
    looksAt: "errors and rejected promises that no code caught while the test ran",
    explanation:
      "A handler that answers first and works later has nobody who catches what its work throws: the service has its 2xx, and sends the webhook no more. The sentence quotes the error. Await the work, or catch its errors. The promise may also be one of the test.",
    find: ({ session: { uncaught = [] } }) => {
      const [first] = uncaught;
      if (first === undefined) return undefined;
      const more = uncaught.length === 1 ? "" : `, and ${counted(uncaught.length - 1, "more error")}`;
      return {
        sentence: `no code caught what your app, after its answer, or the test threw: ${quoted(first)}${more}`,
        wayOut: "await the work that throws it, or catch its errors",
        weight: "certain",
      };
    },
  },
  {
    name: "works-after-the-answer",
    looksAt:
      "work that an app had not finished `receiverTimeout` after its answer, or the shop's own timer after it rang, when the clock went on, and timers of an app for longer than that",
    explanation:
      "The service wants a fast answer, so a handler may answer first and work later. The clock waits for that work as far as it sees it ([what is deterministic](determinism.md#work-after-the-answer)), at most `receiverTimeout`, and goes on then: the test looked at your shop before its work was done. Raise `receiverTimeout` if the work is only slow. Hand its promises over with `sim.connect(origin, app, { waitUntil })` if the clock does not see it, or await them in the test. The same holds for the jobs of a scheduler whose timers follow the clock. The clock does not wait for a timer that is set for longer than `receiverTimeout`: with the option `timers: true` it follows the clock, and `sim.clock.advance` makes it ring.",
    find: ({ of, session: { timersOfApps = [] } }) => {
      const [left] = of("warning").flatMap(({ volatile }) => volatile?.leftOpen ?? []);
      const [timer] = timersOfApps;
      if (left === undefined && timer === undefined) return undefined;
      if (left === undefined) {
        const { delay = 0, setAt } = timer ?? {};
        return {
          sentence: `your app set a timer of ${counted(Math.round(delay / 1000), "second")}${setAt === undefined ? "" : ` at ${setAt}`}, for which the clock does not wait, and it had not rung`,
          wayOut: "let timers follow the clock with the option timers: true, and await sim.clock.advance(…)",
          weight: "likely",
        };
      }
      return {
        sentence: `${quoted(left.who)} still worked when the clock went on after ${quoted(left.after)}: it waited for ${left.kinds.join(", ")}`,
        wayOut:
          "raise receiverTimeout if the work is only slow, hand its promises over with sim.connect(origin, app, { waitUntil }), or await them in the test",
        weight: "likely",
      };
    },
  },
];
