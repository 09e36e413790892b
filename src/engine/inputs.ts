import type { WorldSnapshot } from "./world-snapshot.ts";

/** Something that came from outside a world, and its place among the timers, which the world runs by itself. */
export interface Input {
  readonly kind: string;
  /** Virtual time in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  /** How many timers the world had run before, the one whose errand was under way included. */
  readonly timers: number;
}

/** Inputs that another world got before this one was made from it; its list only ever grows. */
interface Share {
  readonly inputs: readonly Input[];
  readonly length: number;
}

/** Every input of a world in order, from its beginning on: what it takes to live through the same life again. */
export class InputLog {
  readonly #clock: { readonly now: number };
  #shares: readonly Share[] = [];
  #own: Input[] = [];
  #start: WorldSnapshot | undefined;
  #timers = 0;

  constructor(clock: { readonly now: number }) {
    this.#clock = clock;
  }

  /** The world that the inputs came to; undefined where that is a new one. */
  get start(): WorldSnapshot | undefined {
    return this.#start;
  }

  /** How many timers the world has run since then. */
  get timers(): number {
    return this.#timers;
  }

  get length(): number {
    return this.#shares.reduce((sum, { length }) => sum + length, this.#own.length);
  }

  /** Adds what has just come, beside what its kind is made of, and answers the entry. */
  add<Details extends object>(kind: string, details: Details): Input & Details {
    const input = { kind, at: this.#clock.now, timers: this.#timers, ...details };
    this.#own.push(input);
    return input;
  }

  /** A timer begins to run. */
  timerRuns(): void {
    this.#timers += 1;
  }

  all(): Input[] {
    return [...this.#shares.flatMap(({ inputs, length }) => inputs.slice(0, length)), ...this.#own];
  }

  /** Begins anew with a world that was put in place of the old one. */
  begin(start: WorldSnapshot): void {
    this.#shares = [];
    this.#own = [];
    this.#start = start;
    this.#timers = 0;
  }

  /** Takes over what another world has lived through, at no cost that grows with it. */
  copyFrom(other: InputLog): void {
    this.#shares = [...other.#shares, { inputs: other.#own, length: other.#own.length }];
    this.#own = [];
    this.#start = other.#start;
    this.#timers = other.#timers;
  }
}
