import { z } from "zod";
import type { InputLog } from "../engine/inputs.ts";
import type { WorldSnapshot } from "../engine/world-snapshot.ts";
import { toTimestamp } from "../engine/timestamp.ts";
import { CentavoError } from "../errors/centavo-error.ts";
import { UNREADABLE_KINDS } from "../http/request-inputs.ts";
import type { Settings } from "./options.ts";
import type { PaymentWorld } from "./payment-service.ts";
import { problemOf } from "./recorded-notes.ts";
import { readSnapshot } from "./snapshot.ts";
import { receiverAnswer } from "../receivers/receiver-answer.ts";

const place = {
  /** Virtual time in milliseconds since 1970-01-01T00:00:00Z. */
  at: z.int(),
  /** How many timers had run before, the one whose delivery was under way included. */
  timers: z.int().min(0),
};
const values = z.record(z.string(), z.unknown());
const texts = z.record(z.string(), z.string());

/** Something that came from outside. */
const recordedInput = z.discriminatedUnion("kind", [
  /** A request, with what the service reads of it, and the status that its client was answered. */
  z.strictObject({
    kind: z.literal("request"),
    ...place,
    method: z.string(),
    target: z.string(),
    headers: texts,
    body: z.string().optional(),
    unreadable: z.enum(UNREADABLE_KINDS).optional(),
    status: z.int().optional(),
  }),
  /** What came of a delivery, and the receiver's time at which it was signed. */
  z.strictObject({ kind: z.literal("answer"), ...place, event: z.string(), stamp: z.number(), answer: receiverAnswer }),
  /** An event was due, and somebody held it back, or nobody was connected. */
  z.strictObject({ kind: z.literal("obstacle"), ...place, event: z.string(), status: z.enum(["held", "waiting"]) }),
  /** Events that had met obstacles became due again, because somebody connected or let them go. */
  z.strictObject({ kind: z.literal("resumed"), ...place, events: z.array(z.string()) }),
  /** Something was written into the journal that nothing inside the world led to, such as what the customer did. */
  z.strictObject({
    kind: z.literal("note"),
    ...place,
    entry: z.string(),
    details: values,
    volatile: values.optional(),
  }),
  /** `sim.intents.cancel` */
  z.strictObject({ kind: z.literal("cancel"), ...place, intent: z.string() }),
  /** `sim.paymentMethods.create` */
  z.strictObject({ kind: z.literal("mint"), ...place, card: texts }),
  /** `sim.webhooks.redeliver` */
  z.strictObject({ kind: z.literal("redeliver"), ...place, event: z.string() }),
  /** `sim.faults.add` */
  z.strictObject({ kind: z.literal("fault.add"), ...place, fault: values }),
  /** `sim.faults.remove` */
  z.strictObject({ kind: z.literal("fault.remove"), ...place, fault: z.string() }),
  /** `sim.faults.clear` */
  z.strictObject({ kind: z.literal("fault.clear"), ...place }),
  /** `sim.close` while calls were held back. */
  z.strictObject({ kind: z.literal("broke-off"), ...place }),
]);

const recording = z.strictObject({
  version: z.literal(1),
  /** The options of `createSimulator` that decide how a run goes. */
  options: z.strictObject({
    baseUrl: z.string(),
    authUrl: z.string(),
    seed: z.string(),
    now: z.string(),
    webhookUrl: z.string().optional(),
    assumptions: values,
    history: z.strictObject({ keep: z.int() }).optional(),
  }),
  /** The world that the inputs came to, where that is not a new one. */
  start: z.unknown().optional(),
  /** How many inputs came before this start and are no longer kept; left out where none are. */
  shortened: z.strictObject({ inputs: z.int().min(1) }).optional(),
  inputs: z.array(recordedInput),
  /** Where the run stood when it was asked for its recording. */
  end: z.strictObject(place),
  /** The journal's digest there. */
  digest: z.string(),
});

/**
 * A run as plain JSON: how its simulator was made, and all that came to it from outside, at its virtual time. Requests stand in it as
 * they were sent, with their fake tokens and whatever card numbers the test used.
 */
export type Recording = z.output<typeof recording>;

/** One input of a recording. */
export type RecordedInput = z.output<typeof recordedInput>;

/** The run so far. */
export function recordingOf(
  { engine }: PaymentWorld,
  inputs: InputLog,
  { baseUrl, authUrl, seed, now, webhookUrl, assumptions, history }: Settings,
  beginning: WorldSnapshot,
): Recording {
  const { start, timers, forgotten } = inputs;
  const whole = {
    version: 1,
    options: {
      baseUrl,
      authUrl,
      seed,
      now: toTimestamp(now),
      webhookUrl,
      assumptions,
      ...(history.keep === Infinity ? {} : { history }),
    },
    ...(start === undefined || start === beginning ? {} : { start: { version: 1, world: start } }),
    ...(forgotten === 0 ? {} : { shortened: { inputs: forgotten } }),
    inputs: inputs.all(),
    end: { at: engine.now, timers },
    digest: engine.journal.digest(),
  };
  // Plain JSON that shares nothing with the world.
  return JSON.parse(JSON.stringify(whole)) as Recording;
}

/**
 * Checks a recording, which may come from a file.
 * @throws {CentavoError} `INVALID_RECORDING` naming the field that is wrong
 */
export function readRecording(given: unknown): Recording {
  if (typeof given === "string") throw refused("this is a text and no recording yet; JSON.parse it first");
  const { version } = (given ?? {}) as Partial<Recording>;
  if (version !== 1) {
    const found = version === undefined ? "" : `; its version is ${JSON.stringify(version)}`;
    throw refused(`this is no recording that sim.recording() of this version of Centavo made${found}`);
  }
  const read = recording.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    throw refused(`${pathOf(issue?.path ?? [])}: ${issue?.message ?? ""}`);
  }
  const { inputs, end } = read.data;
  for (const [index, input] of inputs.entries()) {
    const problem = input.kind === "note" ? problemOf(input) : undefined;
    if (problem !== undefined) throw refused(`inputs[${index}].${problem}`);
  }
  for (const [index, { at, timers }] of [...inputs, end].entries()) {
    const before = inputs[index - 1];
    if (before !== undefined && (at < before.at || timers < before.timers)) {
      const which = index === inputs.length ? "end" : `inputs[${index}]`;
      throw refused(`${which} comes before inputs[${index - 1}]; they stand in the order in which they came`);
    }
  }
  return read.data;
}

/**
 * The world in which a recording starts; undefined where that is a new one.
 * @throws {CentavoError} `INVALID_RECORDING`
 */
export function readStart({ start, options }: Recording): WorldSnapshot | undefined {
  if (start === undefined) return undefined;
  try {
    return readSnapshot(start, options.seed);
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    throw refused(`start is no world to start from: ${error.message}`);
  }
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((name, index) => (typeof name === "number" ? `[${name}]` : `${index === 0 ? "" : "."}${String(name)}`))
    .join("");
}

function refused(why: string): CentavoError {
  return new CentavoError("INVALID_RECORDING", `replay: ${why.replace(/\.$/, "")}.`);
}
