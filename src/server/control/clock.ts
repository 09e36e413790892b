import * as z from "zod/mini";
import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import { naming } from "../../kit/engine/clock-options.ts";
import { addDuration, parseInstant } from "../../kit/engine/duration.ts";
import type { DurationLike, InstantLike } from "../../kit/engine/duration.ts";
import type { PendingTimer } from "../../kit/engine/pending.ts";
import { toTimestamp } from "../../kit/engine/timestamp.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { anObject, asIs } from "./as-is.ts";
import { readerNamed } from "./readers.ts";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

const duration = asIs<DurationLike>({
  anyOf: [
    { type: "string", examples: ["3 days", "P1M"] },
    { ...anObject, examples: [{ months: 1 }] },
  ],
});
const instant = asIs<InstantLike>({
  anyOf: [{ type: "string", format: "date-time" }, { type: "number" }, anObject],
  description: "ISO 8601, or milliseconds since 1970",
  examples: ["2026-03-01T00:00:00Z"],
});
const limit = z.exactOptional(duration);
const now = z.object({ now: z.string() });
const timer = asIs<PendingTimer>({
  ...anObject,
  required: ["what", "key", "input"],
  properties: {
    at: { type: "string", format: "date-time" },
    what: { type: "string" },
    key: { type: "string" },
    input: anObject,
  },
});
/** The members that move the clock return nothing. */
const NOTHING = "";

/** `sim.clock` */
export const clockRoutes: readonly ControlRoute[] = [
  control({
    name: "clock.now",
    summary: "Returns the virtual now, and whether the clock is moving",
    method: "GET",
    path: "/clock",
    data: z.extend(now, { busy: z.boolean(), isMovedByTest: z.boolean() }),
    members: {
      "clock.now": { gives: "now" },
      "clock.busy": { gives: "busy", isProperty: true },
      "clock.isMovedByTest": { gives: "isMovedByTest", isProperty: true },
    },
    perform: ({ sim: { clock } }) => ({ now: clock.now(), busy: clock.busy, isMovedByTest: clock.isMovedByTest }),
  }),
  control({
    name: "clock.pending",
    summary: "Lists what waits for the clock, soonest first",
    method: "GET",
    path: "/clock/pending",
    data: z.object({ pending: z.array(timer) }),
    members: { "clock.pending": { gives: "pending" } },
    perform: ({ sim }) => ({ pending: sim.clock.pending() }),
  }),
  control({
    name: "clock.settle",
    summary: "Runs everything that is due now, deliveries included; with `strict`, fails when anything is left",
    method: "POST",
    path: "/clock/settle",
    body: z.object({ strict: z.exactOptional(asIs<boolean>({ type: "boolean" })) }),
    data: now,
    members: { "clock.settle": { gives: NOTHING } },
    perform: async ({ sim }, { body }) => {
      await sim.clock.settle(body);
      return nowOf(sim);
    },
  }),
  control({
    name: "clock.advance",
    summary: "Lets time pass",
    method: "POST",
    path: "/clock/advance",
    body: z.object({ duration }),
    data: now,
    members: { "clock.advance": { takes: ["duration"], gives: NOTHING } },
    perform: async ({ sim }, { body }) => {
      await sim.clock.advance(body.duration);
      return nowOf(sim);
    },
  }),
  control({
    name: "clock.advanceTo",
    summary: "Lets time pass up to and including a moment",
    method: "POST",
    path: "/clock/advance-to",
    body: z.object({ instant }),
    data: now,
    members: { "clock.advanceTo": { takes: ["instant"], gives: NOTHING } },
    perform: async ({ sim }, { body }) => {
      await sim.clock.advanceTo(body.instant);
      return nowOf(sim);
    },
  }),
  control({
    name: "clock.advanceUntil",
    summary: "Lets time pass, timer by timer, until a resource has a status",
    method: "POST",
    path: "/clock/advance-until",
    body: z.object({ resource: z.string(), id: z.string(), status: z.string(), limit }),
    data: now,
    perform: async ({ sim }, { body }) => {
      await advanceUntilStatus(sim, body);
      return nowOf(sim);
    },
  }),
  control({
    name: "clock.step",
    summary: "Runs the next timer. Without one up to a moment, or within a limit from now on, time passes until then",
    method: "POST",
    path: "/clock/step",
    body: z.object({ until: z.exactOptional(instant), limit }),
    data: z.extend(now, { until: z.string(), isOver: z.boolean() }),
    members: { "clock.advanceUntil": {} },
    perform: async ({ sim }, { body }) => {
      const until = naming("advanceUntil()", () => momentIn(sim, body));
      let looks = 0;
      await sim.clock.advanceUntil(() => (looks += 1) > 1, { limit: { milliseconds: until - momentOf(sim) } });
      return { ...nowOf(sim), until: toTimestamp(until), isOver: momentOf(sim) >= until };
    },
  }),
  control({
    name: "clock.sleep",
    summary: "Answers when virtual time has passed",
    method: "POST",
    path: "/clock/sleep",
    whenFull: true,
    body: z.object({ duration }),
    data: now,
    members: { "clock.sleep": { takes: ["duration"], gives: NOTHING } },
    perform: async ({ sim }, { body, signal }) => {
      await sim.clock.sleep(body.duration, { signal });
      return nowOf(sim);
    },
  }),
];

function nowOf({ clock }: Simulator): { readonly now: string } {
  return { now: clock.now() };
}

function momentOf({ clock }: Simulator): number {
  return OriginalDate.parse(clock.now());
}

/** Returns the moment up to which a step may let time pass. */
function momentIn(sim: Simulator, given: { readonly until?: InstantLike; readonly limit?: DurationLike }): number {
  const from = momentOf(sim);
  return given.until === undefined
    ? addDuration(from, given.limit ?? "1 year")
    : Math.max(from, parseInstant(given.until));
}

/** @throws {CentavoError} `INVALID_OPTION` for an unknown resource or status, `NOT_FOUND` for an unknown id, and what `advanceUntil` throws */
async function advanceUntilStatus(
  sim: Simulator,
  given: { readonly resource: string; readonly id: string; readonly status: string; readonly limit?: DurationLike },
): Promise<void> {
  const { resource, id, status, limit: longest } = given;
  const reader = readerNamed(sim, "clock.advanceUntil", resource);
  const statusNow = (): unknown => (reader.existing(id) as { readonly status?: unknown }).status;
  reader.list({ status });
  statusNow();
  const condition = Object.assign(() => statusNow() === status, {
    toString: () => `${resource} ${id} has the status "${status}" (it has "${String(statusNow())}")`,
  });
  await sim.clock.advanceUntil(condition, longest === undefined ? {} : { limit: longest });
}
