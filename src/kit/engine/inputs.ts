import type { WorldSnapshot } from "./world-snapshot.ts";

/** An input from outside a world, and how many of the world's own timers ran before it. */
export interface Input {
  readonly kind: string;
  /** Virtual time in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  /** How many timers the world had run before it, including a timer whose work was in flight. */
  readonly timers: number;
}

/** A place in a log: how many inputs and timers the world has had since the log began, including dropped ones. */
export interface LogPlace {
  readonly inputs: number;
  readonly timers: number;
}

/** A later world from which a replay can start. */
interface Milestone extends LogPlace {
  readonly world: WorldSnapshot;
}

/**
 * Keeps the inputs of a world outside the process. Nothing leaves the world, neither an answer nor an event, before the inputs that led to
 * it are kept.
 */
export interface Keeper {
  /**
   * Keeps all inputs so far, at once.
   * @throws {CentavoError} when it cannot
   */
  keep(): void;
  /** Resolves when all inputs so far are kept. Rejects with a `CentavoError` when they cannot be. */
  kept(): Promise<void>;
}

/** A bounded log keeps fewer inputs if their texts are longer than this on average, in characters. */
const CHARACTERS_OF_AN_INPUT = 2048;

const NOWHERE: LogPlace = { inputs: 0, timers: 0 };

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
  #startPlace: LogPlace = NOWHERE;
  #begun = 0;
  #milestone: Milestone | undefined;
  /** How many characters the inputs have since the last milestone. */
  #characters = 0;
  /** How many timers the world has run since the log began. */
  #timers = 0;
  /** Undefined unless the world survives its process. */
  keeper: Keeper | undefined;
  /** Called after each change, for somebody who follows this world. It must neither throw nor change the world. */
  watcher: (() => void) | undefined;

  /** @param keep how many of the newest inputs to keep; the log may keep up to twice as many */
  constructor(clock: { readonly now: number }, keep: number) {
    this.#clock = clock;
    this.#keep = keep;
  }

  /** The world that got the inputs; undefined for a new world. */
  get start(): WorldSnapshot | undefined {
    return this.#start;
  }

  /** The place of the start. The inputs before it are dropped. */
  get startPlace(): LogPlace {
    return this.#startPlace;
  }

  /** The place after the last input and timer. */
  get end(): LogPlace {
    return { inputs: this.#startPlace.inputs + this.length, timers: this.#timers };
  }

  /** How often the log has begun anew, with a world that replaced another. */
  get begun(): number {
    return this.#begun;
  }

  get isBounded(): boolean {
    return this.#keep !== Infinity;
  }

  /** How many timers the world has run since the start. */
  get timers(): number {
    return this.#timers - this.#startPlace.timers;
  }

  get length(): number {
    return this.#inputs.length;
  }

  add<Details extends object>(kind: string, details: Details): Input & Details {
    const input = { kind, at: this.#clock.now, timers: this.#timers, ...details };
    this.#inputs.push(input);
    this.watcher?.();
    return input;
  }

  /** Counts the characters of an input's texts; a negative number subtracts them. */
  weigh(characters: number): void {
    this.#characters += characters;
  }

  timerRuns(): void {
    this.#timers += 1;
    this.watcher?.();
  }

  /** Returns the inputs after the first `inputs` of the log, with their timers counted from after the first `timers`. */
  since({ inputs, timers }: LogPlace): Input[] {
    return this.#inputs
      .slice(inputs - this.#startPlace.inputs)
      .map((input) => Object.assign({}, input, { timers: input.timers - timers }));
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
    const { end } = this;
    const added = end.inputs - (this.#milestone ?? this.#startPlace).inputs;
    const isEnough = added >= this.#keep || this.#characters >= this.#keep * CHARACTERS_OF_AN_INPUT;
    if (!isEnough || this.#isBusy()) return;
    if (this.#milestone !== undefined) this.#beginAt(this.#milestone);
    this.#milestone = { world: worldNow(), ...end };
    this.#characters = 0;
  }

  /** Starts over with a world that replaced the old one. */
  begin(start: WorldSnapshot): void {
    this.#begun += 1;
    this.#inputs = [];
    this.#start = start;
    this.#startPlace = NOWHERE;
    this.#milestone = undefined;
    this.#characters = 0;
    this.#timers = 0;
    this.watcher?.();
  }

  /** Takes over the inputs of another world. */
  copyFrom(other: InputLog): void {
    this.#begun += 1;
    this.#inputs = [...other.#inputs];
    this.#start = other.#start;
    this.#startPlace = other.#startPlace;
    this.#milestone = other.#milestone;
    this.#characters = other.#characters;
    this.#timers = other.#timers;
  }

  #beginAt({ world, inputs, timers }: Milestone): void {
    this.#inputs = this.#inputs.slice(inputs - this.#startPlace.inputs);
    this.#start = world;
    this.#startPlace = { inputs, timers };
  }
}
