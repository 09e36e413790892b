import type { WorldSnapshot } from "./world-snapshot.ts";

/** An input from outside a world, and how many of the world's own timers ran before it. */
export interface Input {
  readonly kind: string;
  /** Virtual time in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  /** How many timers the world had run before it, including a timer whose work was in flight. */
  readonly timers: number;
}

/** A later world from which a replay can start, with the number of inputs and timers before it. */
interface Milestone {
  readonly world: WorldSnapshot;
  readonly inputs: number;
  readonly timers: number;
}

/** A bounded log keeps fewer inputs if their texts are longer than this on average, in characters. */
const CHARACTERS_OF_AN_INPUT = 2048;

/**
 * Every input of a world, in order: what a replay needs. A bounded log drops its oldest inputs and moves its start to a later world, so
 * that the rest can still be replayed.
 */
export class InputLog {
  readonly #clock: { readonly now: number };
  readonly #keep: number;
  #isBusy: () => boolean = () => false;
  #inputs: Input[] = [];
  #start: WorldSnapshot | undefined;
  /** How many inputs were dropped from before the start. */
  #forgotten = 0;
  #milestone: Milestone | undefined;
  /** How many characters the inputs have since the last milestone. */
  #characters = 0;
  /** How many timers the world has run, in total and up to the start. */
  #timers = 0;
  #timersAtStart = 0;

  /** @param keep how many of the newest inputs to keep; the log may keep up to twice as many */
  constructor(clock: { readonly now: number }, keep: number) {
    this.#clock = clock;
    this.#keep = keep;
  }

  /** The world that got the inputs; undefined for a new world. */
  get start(): WorldSnapshot | undefined {
    return this.#start;
  }

  get forgotten(): number {
    return this.#forgotten;
  }

  get isBounded(): boolean {
    return this.#keep !== Infinity;
  }

  /** How many timers the world has run since the start. */
  get timers(): number {
    return this.#timers - this.#timersAtStart;
  }

  get length(): number {
    return this.#inputs.length;
  }

  add<Details extends object>(kind: string, details: Details): Input & Details {
    const input = { kind, at: this.#clock.now, timers: this.#timers, ...details };
    this.#inputs.push(input);
    return input;
  }

  /** Counts the characters of an input's texts; a negative number subtracts them. */
  weigh(characters: number): void {
    this.#characters += characters;
  }

  timerRuns(): void {
    this.#timers += 1;
  }

  all(): Input[] {
    return this.#inputs.map((input) => Object.assign({}, input, { timers: input.timers - this.#timersAtStart }));
  }

  /** Keeps the start where it is while `isBusy` returns true, because no snapshot contains what is under way. */
  waitWhile(isBusy: () => boolean): void {
    this.#isBusy = isBusy;
  }

  /**
   * Moves the start of a bounded log to the last milestone once enough inputs follow it. Call this between two inputs.
   * @param worldNow takes a snapshot for the next milestone
   */
  shorten(worldNow: () => WorldSnapshot): void {
    const added = this.length - (this.#milestone?.inputs ?? 0);
    const isEnough = added >= this.#keep || this.#characters >= this.#keep * CHARACTERS_OF_AN_INPUT;
    if (!isEnough || this.#isBusy()) return;
    if (this.#milestone !== undefined) this.#beginAt(this.#milestone);
    this.#milestone = { world: worldNow(), inputs: this.length, timers: this.#timers };
    this.#characters = 0;
  }

  /** Starts over with a world that replaced the old one. */
  begin(start: WorldSnapshot): void {
    this.#inputs = [];
    this.#start = start;
    this.#forgotten = 0;
    this.#milestone = undefined;
    this.#characters = 0;
    this.#timers = 0;
    this.#timersAtStart = 0;
  }

  /** Takes over the inputs of another world. */
  copyFrom(other: InputLog): void {
    this.#inputs = [...other.#inputs];
    this.#start = other.#start;
    this.#forgotten = other.#forgotten;
    this.#milestone = other.#milestone;
    this.#characters = other.#characters;
    this.#timers = other.#timers;
    this.#timersAtStart = other.#timersAtStart;
  }

  #beginAt({ world, inputs, timers }: Milestone): void {
    this.#inputs = this.#inputs.slice(inputs);
    this.#start = world;
    this.#forgotten += inputs;
    this.#timersAtStart = timers;
  }
}
