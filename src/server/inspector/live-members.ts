import { realTime } from "../../kit/base/runtime/real-time.ts";
import { explanationOf, cleaner } from "../../report/causes/cause-report.ts";
import { assumptionsIn, notesOf, pendingIn } from "../../report/gather-run.ts";
import type { GatheredRows } from "../../report/gathered-rows.ts";
import type { ChangedResources, LiveState } from "../../report/live-run.ts";
import { nothingHappened } from "../../report/reported-run.ts";
import type { ReportedRun } from "../../report/reported-run.ts";
import { tidied } from "../../report/tidied.ts";
import type { Simulator } from "../../simulator/simulator.ts";

/** To look for causes takes time in proportion to the journal, so this is the part of all time that it may take. */
const SHARE_OF_CAUSES = 0.05;

/** The members of a run besides its rows, and which of them have changed since they were sent. */
export class LiveMembers {
  readonly #sim: Simulator;
  readonly #title: string;
  readonly #gathered: GatheredRows;
  readonly #clean: ReturnType<typeof cleaner>;
  /** What was sent of each member, as JSON. */
  readonly #sent = new Map<string, string>();
  #causes: Pick<ReportedRun, "causes" | "nothingFound"> = { causes: [] };
  #causesUntil = 0;
  /** When the causes may be looked for again, in real time, if those that were sent may be old. */
  behindUntil: number | undefined;

  constructor(sim: Simulator, title: string, gathered: GatheredRows) {
    this.#sim = sim;
    this.#title = title;
    this.#gathered = gathered;
    this.#clean = cleaner(sim);
  }

  /** Returns the run without its rows and causes. To look for those takes a while, in which the rows can be read. */
  begin(): ReportedRun {
    return { ...nothingHappened, title: this.#title, ...(this.#newOf(this.#members()) as LiveState) };
  }

  /**
   * Returns the members that have changed since the last call.
   * @param isLast whether nothing follows, so that the causes have to be right
   */
  changed(isLast = false): LiveState {
    if (isLast) this.#causesUntil = 0;
    const { causes, ...members } = this.#newOf({ ...this.#members(), causes: this.#explained() });
    return { ...members, ...(causes as Partial<ReportedRun> | undefined) };
  }

  #newOf(members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const changed = Object.entries(tidied(members, this.#clean)).filter(([name, member]) => {
      const text = JSON.stringify(member);
      if (this.#sent.get(name) === text) return false;
      this.#sent.set(name, text);
      return true;
    });
    return Object.fromEntries(changed);
  }

  /** Returns resources for readers. */
  resources(changed: ChangedResources): ChangedResources {
    return tidied(changed, this.#clean);
  }

  #members(): Readonly<Record<string, unknown>> {
    const { seed, clock } = this.#sim;
    return {
      title: this.#title,
      seed,
      now: clock.now(),
      notes: notesOf(this.#sim),
      pending: pendingIn(this.#sim, this.#gathered),
      faults: this.#gathered.faults.all,
      assumptions: assumptionsIn(this.#sim),
    };
  }

  #explained(): Pick<ReportedRun, "causes" | "nothingFound"> {
    const begun = realTime();
    this.behindUntil = begun < this.#causesUntil ? this.#causesUntil : undefined;
    if (this.behindUntil !== undefined) return this.#causes;
    this.#causes = explanationOf(this.#sim, undefined, {});
    const ended = realTime();
    this.#causesUntil = ended + (ended - begun) / SHARE_OF_CAUSES;
    return this.#causes;
  }
}
