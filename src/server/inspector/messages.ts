import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import { cleaner } from "../../report/causes/cause-report.ts";
import { Messages } from "../../report/messages.ts";
import { playAgain } from "../../report/playback.ts";
import type { Playback } from "../../report/playback.ts";
import type { Part } from "../../report/reported-run.ts";
import { tidied } from "../../report/tidied.ts";
import type { Simulator } from "../../simulator/simulator.ts";

/** What an entry of the journal carried. */
export interface CarriedBy {
  readonly parts: readonly Part[];
  /** Why something may be missing. */
  readonly problem?: string;
}

/** What was heard when the run of a world was played again. */
interface Heard {
  /** Which of its worlds it was, and the sequence number of its last entry. */
  readonly world: number;
  readonly last: number;
  readonly parts: ReadonlyMap<number, readonly Part[]>;
  readonly problem?: string;
}

const heardIn = new WeakMap<Simulator, Promise<Heard>>();

/**
 * Returns the headers and bodies of an entry, without secrets. The journal does not keep them, so the run is played again, unless that was
 * done after the entry. Undefined when the journal has no such entry.
 */
export async function carriedBy(sim: Simulator, sequence: number): Promise<CarriedBy | undefined> {
  const { journal } = sim.internals.parts.engine;
  const { count } = journal.forgotten;
  if (!Number.isInteger(sequence) || sequence <= count || sequence > count + journal.length) return undefined;
  const known = await heardIn.get(sim);
  const isOld = known === undefined || known.world !== sim.internals.parts.engine.world || known.last < sequence;
  if (isOld) heardIn.set(sim, hear(sim));
  const { parts, problem } = known === undefined || isOld ? await (heardIn.get(sim) as Promise<Heard>) : known;
  const carried = tidied(parts.get(sequence) ?? [], cleaner(sim));
  return problem === undefined ? { parts: carried } : { parts: carried, problem };
}

async function hear(sim: Simulator): Promise<Heard> {
  const { journal, world } = sim.internals.parts.engine;
  const entries = [...journal.entries];
  const { heard, problem } = await heardOf(sim);
  const messages = new Messages(entries, heard, { redaction: journal.redaction, clean: cleaner(sim) });
  const parts = new Map(entries.map((entry) => [entry.sequence, messages.of(entry)] as const));
  const last = entries.at(-1)?.sequence ?? 0;
  return { world, last, parts, ...(problem !== undefined && { problem }) };
}

async function heardOf(sim: Simulator): Promise<{ readonly heard?: Playback; readonly problem?: string }> {
  try {
    const heard = await playAgain(sim.recording(), (options) => sim.another(options));
    return heard.problem === undefined ? { heard } : { heard, problem: heard.problem };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}
