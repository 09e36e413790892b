import { Reading } from "../../service/wire/reading.ts";
import type { ActName } from "../options.ts";
import type { PlacedTrouble } from "../story.ts";
import { NoAnswer } from "../../merchant/process/merchant-process.ts";
import type { StoryRun } from "./story-run.ts";

/** Passes requests from the service on to the merchant: events, and customers on their way back. */
export class Deliveries {
  readonly #run: StoryRun;
  readonly #delivered = new Set<string>();
  /** Whether the customer has closed the browser, so that the merchant's page never opens. */
  browserIsClosed = false;

  /** Lets a customer act at the moment at which an event arrives. */
  onMeeting: (act: ActName) => unknown = () => undefined;

  constructor(run: StoryRun) {
    this.#run = run;
  }

  /** Passes on a request from the service or from one of its pages. */
  async arrives(request: Request): Promise<Response> {
    const run = this.#run;
    await run.held.turn();
    run.troubles.tellStruck();
    if (request.method !== "POST" && this.browserIsClosed) throw new NoAnswer("The customer never comes back.");
    if (request.method !== "POST") return run.exchange({ kind: "act" }, request);
    const { id, type } = await this.#eventIn(request);
    const isFirst = id !== undefined && !this.#delivered.has(id);
    if (isFirst) this.#delivered.add(id);
    const struck = isFirst && type !== undefined ? this.#struckBy(type) : [];
    await this.#meet(struck);
    const program = run.programs.next();
    const process = program?.process;
    run.crashIf(struck, "before", process);
    const again = struck.some(({ trouble }) => trouble.deliversTwice) ? request.clone() : undefined;
    const answer = run.exchange({ kind: "event" }, request, type, program);
    if (again !== undefined) void run.exchange({ kind: "event" }, again, type).catch(() => undefined);
    const response = await answer;
    run.crashIf(struck, "after", process);
    return response;
  }

  /** Lets the customer's request come first, and the event while the merchant works on it. */
  async #meet(struck: readonly PlacedTrouble[]): Promise<void> {
    for (const { trouble } of struck) {
      if (trouble.meetsAct === undefined) continue;
      this.onMeeting(trouble.meetsAct);
      await this.#run.held.turn();
    }
  }

  async #eventIn(request: Request): Promise<EventOfBody> {
    const { overrides } = this.#run.sim.internals.parts.assumptions;
    try {
      const body: unknown = await request.clone().json();
      return typeof body === "object" && body !== null ? new Reading(overrides).event(body) : {};
    } catch {
      return {};
    }
  }

  /** The troubles that strike at the merchant. The service's own faults were planned when the story began. */
  #struckBy(type: string): readonly PlacedTrouble[] {
    const { troubles, seen } = this.#run;
    const struck = troubles.at(seen.passes("event", type)).filter(({ trouble }) => trouble.fault === undefined);
    for (const each of struck) troubles.happens(each);
    return struck;
  }
}

/** What every event says of itself, as far as a body says it. */
interface EventOfBody {
  readonly id?: string;
  readonly type?: string;
}
