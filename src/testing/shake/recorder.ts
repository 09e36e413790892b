import { meantStatus } from "../../service/error-table.ts";
import { RAN_AWAY } from "../../kit/engine/timer-runner.ts";
import type { DetailsOf, StoredEntry } from "../../kit/engine/journal-entries.ts";
import type { WorldOfEntries, WrittenEntries } from "../../kit/engine/written-entries.ts";
import { listenToChannel } from "../../kit/base/runtime/diagnostics.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { RENEWAL } from "../../troubles/acts.ts";
import { CLIENT_ERROR, SERVER_ERROR } from "./test-record.ts";
import type { PassedAttempt, PassedCall, PassedCharge, PassedEvent } from "./test-record.ts";

type Growing<Part> = { -readonly [Name in keyof Part]: Part[Name] };

/** How many calls of a test are noted. A storm of calls may not end before the test does. */
const MOST_CALLS = 10_000;
/** The faults that leave a request without an answer. */
const UNANSWERED: ReadonlySet<string> = new Set(["request.refused", "request.reset", "request.hang"]);

/** The faults that may leave the merchant waiting. */
const SLOW = /hang|late|latency|response\.lost/;
/** A merchant that needs longer for an answer is not pausing before it repeats a call. In milliseconds of real time. */
const LEAST_PATIENCE = 5000;

type GrowingEvent = Growing<Omit<PassedEvent, "attempts">> & { attempts: PassedAttempt[] };

/** Watches what a test passes, as it happens. */
export class Recorder {
  readonly calls: Growing<PassedCall>[] = [];
  readonly events: GrowingEvent[] = [];
  readonly charges: PassedCharge[] = [];
  /** The codes of the errors that the service answered. */
  readonly errors = new Set<string>();
  /** Set once what follows can no longer be told apart. */
  cutShort: string | undefined;
  /** When a fault of the shake first struck, and whether the test has moved the clock since. */
  struckAt: number | undefined;
  /** How often the test asked for something. */
  acts = 0;
  /** How many visits the merchant answered with an error, or not at all. */
  refusedVisits = 0;
  /** When the faults struck that the test planned itself. */
  readonly ownStrikes: number[] = [];
  /** Whether work at one moment led to more and more work, so that the clock gave up. */
  isRestless = false;
  hasMovedSince = false;
  /** How many calls were held until their moment, and go on. */
  letGo = 0;
  /** Called when a fault of the shake strikes. */
  onStrike: () => void = () => undefined;
  /** Called when a fault of the shake holds a call until a moment. */
  onHold: (until: number) => void = () => undefined;

  readonly #sim: Simulator;
  readonly #faults: ReadonlySet<string>;
  readonly #world: WorldOfEntries;
  readonly #counts = new Map<string, number>();
  readonly #stop: () => void;
  readonly #stopMoves: () => void;
  #latest = -1;
  /** Whether the fault that struck last is one of the shake. */
  #isStruckByShake = false;
  readonly #eventsById = new Map<string, GrowingEvent>();
  /** The calls since the test moved the clock. */
  #unfollowed: Growing<PassedCall>[] = [];
  /** The calls since the latest delivery. */
  #duringDelivery: Growing<PassedCall>[] = [];
  /** The calls that the test's own client has begun, and whose requests have not been noted. */
  readonly #ofTest = new Set<{ readonly method: string }>();
  /** The calls that the service has not answered. */
  #open: Growing<PassedCall>[] = [];
  /** The kind of fault that strikes the next request of a route. */
  readonly #striking = new Map<unknown, string>();
  /** The kinds of fault that strike the charges of a payment that is being charged. */
  readonly #strikingCharge = new Map<unknown, string>();

  /** @param faults the ids of the faults that the shake has planned */
  constructor(sim: Simulator, faults: ReadonlySet<string>) {
    this.#sim = sim;
    this.#faults = faults;
    const { engine } = sim.internals.parts;
    this.#world = engine.identity;
    this.#stop = listenToChannel("centavo:journal", (message) => {
      const { world, entries } = message as WrittenEntries;
      if (world === this.#world) for (const entry of entries) this.#note(entry);
    });
    this.#stopMoves = engine.onMove(() => this.#moved());
  }

  stop(): void {
    this.#stop();
    this.#stopMoves();
  }

  /** Marks the next request with a method as the test's own while a call is under way. */
  async ofTest<Result>(method: string, call: () => Promise<Result>): Promise<Result> {
    const own = { method };
    this.acts += 1;
    this.#ofTest.add(own);
    try {
      return await call();
    } finally {
      this.#ofTest.delete(own);
    }
  }

  #moved(): void {
    if (!this.#sim.clock.isMovedByTest) return;
    for (const call of this.#unfollowed) call.isFollowed = true;
    this.#unfollowed = [];
    if (this.struckAt !== undefined) this.hasMovedSince = true;
  }

  #note(entry: StoredEntry): void {
    if (entry.kind === "failure" && entry.details.message.includes(RAN_AWAY)) this.isRestless = true;
    if (this.cutShort !== undefined) return;
    if (entry.sequence <= this.#latest) {
      this.cutShort = "the test resets or restores its world, so what follows cannot be told from what came before";
      return;
    }
    this.#latest = entry.sequence;
    const { kind, at, details } = entry;
    if (kind === "visit" && (entry.volatile?.status ?? SERVER_ERROR) >= CLIENT_ERROR) this.refusedVisits += 1;
    if (kind === "visit" || kind === "customer") this.acts += 1;
    if (kind === "request") this.#request(details, at);
    else if (kind === "answer") this.#answer(details);
    else if (kind === "webhook") this.#event(details, at);
    else if (kind === "delivery") this.#attempt(details, at);
    else if (kind === "fault") this.#fault(details, at);
    else if (kind === "step" && details.resource === "payment_intent") this.#step(details, at);
  }

  #request({ route, path, method }: DetailsOf<"request">, at: number): void {
    if (route === undefined) return;
    if (this.calls.length === MOST_CALLS) {
      this.cutShort = `more than ${MOST_CALLS.toLocaleString("en")} calls are made in the test`;
      return;
    }
    const own = [...this.#ofTest].find((call) => call.method === method);
    if (own !== undefined) this.#ofTest.delete(own);
    const struckBy = this.#striking.get(route);
    this.#striking.delete(route);
    const isAwaited = this.#sim.internals.parts.engine.inFlight.length > 0;
    const call: Growing<PassedCall> = {
      route,
      occurrence: this.#count(`call ${route}`),
      at,
      path,
      by: own !== undefined ? "test" : isAwaited ? "handler" : "merchant",
      ...(struckBy === undefined ? {} : { struckBy }),
      isFollowed: false,
      acts: this.acts,
    };
    this.calls.push(call);
    this.#unfollowed.push(call);
    if (struckBy === undefined || !UNANSWERED.has(struckBy)) this.#open.push(call);
    this.#duringDelivery.push(call);
  }

  #answer({ route, ...answer }: DetailsOf<"answer">): void {
    const index = this.#open.findIndex((each) => each.route === route);
    const [call] = index === -1 ? [] : this.#open.splice(index, 1);
    if (call !== undefined) call.status = meantStatus(answer);
    if (answer.code !== undefined) this.errors.add(answer.code);
  }

  #event({ event: id, type, status, fault }: DetailsOf<"webhook">, at: number): void {
    if (this.#eventsById.has(id)) return;
    const isMadeUp = fault !== undefined && status !== "dropped";
    const occurrence = isMadeUp ? {} : { occurrence: this.#count(`event ${type}`) };
    const event = { id, type, ...occurrence, at, status, attempts: [] };
    this.#eventsById.set(id, event);
    this.events.push(event);
  }

  #attempt({ event: id, type, status, failure, faults = [], outcome }: DetailsOf<"delivery">, at: number): void {
    const occurrence = this.#count(`attempt ${type}`);
    const calls = this.#duringDelivery;
    this.#duringDelivery = [];
    const event = this.#eventsById.get(id);
    if (event === undefined) return;
    event.status = outcome;
    event.attempts.push({
      occurrence,
      at,
      ...(status === undefined ? {} : { status }),
      ...(failure === undefined ? {} : { failure }),
      struckBy: faults.map(({ kind }) => kind),
      hadFailingCall: calls.some(
        ({ by, struckBy, status: told = 0 }) => by === "handler" && (struckBy !== undefined || told >= SERVER_ERROR),
      ),
      isHeldUp: this.#isHeldUp(calls),
    });
  }

  /** @param calls those since the delivery before: a page that waits may hold a handler up, too */
  #isHeldUp(calls: readonly PassedCall[]): boolean {
    const { clock, internals } = this.#sim;
    if (internals.settings.receiverTimeout < LEAST_PATIENCE || clock.waits.sleeps.length > 0) return true;
    const distinct = new Set(calls.map(({ route, path }) => JSON.stringify([route, path])));
    return distinct.size < calls.length || calls.some(({ struckBy = "" }) => SLOW.test(struckBy));
  }

  /** Notes the charge of a payment: it is confirmed, or its method says that the processor is unavailable. */
  #step({ id, input }: DetailsOf<"step">, at: number): void {
    if (input === "confirm" || input === "processor_unavailable") this.#charge(id, at);
  }

  #charge(payment: string, at: number): void {
    // A charge is made within the unit of its call, before the call is answered.
    const by = this.#open.at(-1)?.route ?? RENEWAL;
    const struckBy = this.#strikingCharge.get(payment);
    this.#strikingCharge.delete(payment);
    this.charges.push({
      payment,
      by,
      occurrence: this.#count(`charge ${by}`),
      nth: this.#count(`charges ${by === RENEWAL ? "absent" : "present"}`),
      at,
      ...(struckBy === undefined ? {} : { struckBy }),
    });
  }

  #fault(details: DetailsOf<"fault">, at: number): void {
    // A fault that strikes holds its call at once.
    if (details.act === "hold" && this.#isStruckByShake) this.onHold(details.until);
    if (details.act === "let-go") this.letGo += 1;
    if (details.act !== "strike") return;
    this.#isStruckByShake = this.#faults.has(details.id);
    if (this.#isStruckByShake) {
      this.struckAt ??= at;
      this.onStrike();
    } else this.ownStrikes.push(at);
    const { kind, route, intent, customer } = details;
    if (kind.startsWith("processor.")) this.#strikingCharge.set(intent, kind);
    // Such a charge leaves no step.
    if (kind === "processor.unavailable" && customer === "present") this.#charge(String(intent), at);
    // A fault in front of the service strikes before the request is noted, and one behind it after the answer.
    if (kind.startsWith("request.")) this.#striking.set(route, kind);
    const answered = this.calls.findLast((each) => each.route === route && each.status !== undefined);
    if (kind.startsWith("response.") && answered !== undefined) answered.struckBy = kind;
  }

  #count(name: string): number {
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    return count;
  }
}
