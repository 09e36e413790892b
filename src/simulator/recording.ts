import * as z from "zod/mini";
import { anyText, textIfAny } from "../kit/engine/row-schema.ts";
import type { ActTable } from "../kit/declaration/act.ts";
import { LONGEST_REASON } from "../kit/engine/world-snapshot.ts";
import type { WorldSnapshot } from "../kit/engine/world-snapshot.ts";
import type { Engine } from "../kit/engine/engine.ts";
import { toTimestamp } from "../kit/engine/timestamp.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { readPart } from "../kit/base/errors/english.ts";
import type { Redacting } from "../kit/base/errors/english.ts";
import { inWords, shortened } from "../kit/base/errors/in-words.ts";
import type { Settings } from "./simulator-options.ts";
import { problemOf } from "./recorded-notes.ts";
import { plainJson, readSnapshot, snapshotOf } from "./snapshot.ts";
import { isReportOf, place, recorded, reports } from "./reports.ts";
import type { Report } from "./reports.ts";

const moment = z.strictObject(place);

/** A recorded act of the test. */
export type RecordedAct<Table extends ActTable<never>> = {
  [Kind in keyof Table & string]: { kind: Kind } & z.output<typeof moment> & z.output<Table[Kind]["schema"]>;
}[keyof Table & string];

/** A recording of a run of a service with these acts. */
export interface RecordingOf<Table extends ActTable<never>> extends Omit<AnyRecording, "inputs"> {
  inputs: (Report | RecordedAct<Table>)[];
}

/** A recording of a run of any service. */
export interface AnyRecording extends Omit<z.output<ReturnType<typeof schemaFor>>, "inputs"> {
  inputs: AnyInput[];
}

/** A recording to play. Without a digest, only what it says of its inputs is compared. */
export type PlayableRecording = Omit<AnyRecording, "digest"> & { readonly digest?: string };

export type AnyInput = Report | ({ kind: string } & z.output<typeof moment>);

/** Returns the schema of a recording of a service with these acts. */
function schemaFor(acts: ActTable<never>) {
  const performed = Object.entries(acts).map(([kind, { schema }]) =>
    z.extend(schema, { kind: z.literal(kind), ...place }),
  );
  return z.strictObject({
    version: z.literal(1),
    /** The options of `createSimulator` that affect a run. */
    options: z.strictObject({
      baseUrl: anyText,
      authUrl: anyText,
      seed: anyText,
      now: anyText,
      webhookUrl: textIfAny,
      credentials: z.optional(z.record(anyText, anyText)),
      assumptions: z.record(anyText, z.unknown()),
      keep: z.optional(z.int()),
    }),
    /** The world before the first input; absent for a new world. */
    start: z.optional(z.unknown()),
    /** How many inputs before `start` were dropped; absent when none were. */
    shortened: z.optional(z.strictObject({ inputs: z.int().check(z.minimum(1)) })),
    inputs: z.array(z.discriminatedUnion("kind", [...reports, ...performed])),
    /** The place in the run at which the recording was taken. */
    end: moment,
    /** The journal's digest at that place. */
    digest: anyText,
  });
}

/**
 * Returns the recording of a run so far.
 * @throws {CentavoError} `INVALID_STATE` when nothing is recorded
 */
export function recordingOf(engine: Engine, settings: Settings, beginning: WorldSnapshot): AnyRecording {
  const { inputs } = engine;
  if (inputs === undefined) throw nothingRecorded();
  const { start, startPlace, timers } = inputs;
  const whole = {
    version: 1,
    options: optionsOf(settings),
    ...(start === undefined || start === beginning ? {} : { start: snapshotOf(start) }),
    ...(startPlace.inputs === 0 ? {} : { shortened: { inputs: startPlace.inputs } }),
    inputs: inputs.since(startPlace).map(recorded),
    end: { at: engine.now, timers },
    digest: engine.journal.digest(),
  };
  // A round trip through JSON, so that the recording shares no object with the world.
  return JSON.parse(JSON.stringify(whole)) as AnyRecording;
}

/** Returns the options of a simulator that affect a run. */
export function optionsOf(settings: Settings): AnyRecording["options"] {
  const { baseUrl, authUrl, seed, now, webhookUrl, credentials, assumptions, keep } = settings;
  return {
    baseUrl,
    authUrl,
    seed,
    now: toTimestamp(now),
    webhookUrl,
    ...(credentials === undefined ? {} : { credentials: credentials as Record<string, string> }),
    assumptions,
    ...(keep === Infinity ? {} : { keep }),
  };
}

function nothingRecorded(): CentavoError {
  return new CentavoError(
    "INVALID_STATE",
    "sim.recording(): this simulator records nothing, because the option recording is false. Create it without that option.",
  );
}

/**
 * Checks a recording of a service with these acts.
 * @throws {CentavoError} `INVALID_RECORDING` naming the wrong field
 */
export function readRecordingOf<Table extends ActTable<never>>(
  { acts, redaction }: { readonly acts: Table; readonly redaction: Redacting },
  given: unknown,
): RecordingOf<Table> {
  if (typeof given === "string") throw refused("this is a string; JSON.parse it first");
  const plain = plainJson(given, refused);
  const { version } = (plain ?? {}) as { readonly version?: unknown };
  if (version !== 1) {
    const found = version === undefined ? "" : `; its version is ${inWords(version)}`;
    throw refused(`this is not a recording that sim.recording() of this version of Centavo returned${found}`);
  }
  const { data, complaint } = readPart(schemaFor(acts), plain, redaction);
  if (complaint !== undefined) throw refused(complaint);
  const result = data as RecordingOf<Table>;
  const { inputs, end }: AnyRecording = result;
  for (const [index, input] of inputs.entries()) {
    const problem = isReportOf("note", input) ? problemOf(input, `inputs[${index}]`, redaction) : undefined;
    if (problem !== undefined) throw refused(problem);
  }
  for (const [index, { at, timers }] of [...inputs, end].entries()) {
    const before = inputs[index - 1];
    if (before !== undefined && (at < before.at || timers < before.timers)) {
      const which = index === inputs.length ? "end" : `inputs[${index}]`;
      throw refused(`${which} is earlier than inputs[${index - 1}]; inputs must be in chronological order`);
    }
  }
  return result;
}

/**
 * Replaces the world of an engine by the one in which a recording starts. A recording of a new world starts in it as it is.
 * @throws {CentavoError} `INVALID_RECORDING`
 */
export function goToStart(engine: Engine, { start, options }: PlayableRecording): void {
  if (start === undefined) return;
  try {
    engine.restore(readSnapshot(start, options.seed));
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    throw refused(
      `start is not a valid snapshot: ${error.message.replaceAll(/^sim\.restore: | Restore what .*/g, "")}`,
      error,
    );
  }
}

function refused(why: string, cause?: unknown): CentavoError {
  return new CentavoError(
    "INVALID_RECORDING",
    `replay: ${shortened(why, LONGEST_REASON).replace(/\.$/, "")}. Replay what sim.recording() returned, unchanged, or record the run again.`,
    { cause },
  );
}
