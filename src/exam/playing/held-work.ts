import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

interface Held {
  readonly place: number;
  readonly go: () => void;
}

/**
 * Holds what happens at the same time, and releases one thing at a time: in the order of places, or in an order drawn from a seed. So calls,
 * answers and deliveries overlap as they do on a network, but every run is the same.
 */
export class HeldWork {
  #held: Held[] = [];
  #lastPlace = 0;
  readonly #choose: (among: number) => number;

  /** @param schedule the seed of the order */
  constructor(schedule: number | undefined) {
    if (schedule === undefined) {
      this.#choose = () => 0;
      return;
    }
    const generator = xoroshiro128plus(schedule);
    this.#choose = (among) => uniformInt(generator, 0, among - 1);
  }

  /** Takes the next place. A database answers in an order of its own, so a call takes its place when it is made. */
  nextPlace(): number {
    return (this.#lastPlace += 1);
  }

  /** Resolves when it is the caller's turn. */
  turn(place = this.nextPlace()): Promise<void> {
    return new Promise((resolve) => {
      const later = this.#held.findIndex((held) => held.place > place);
      this.#held.splice(later === -1 ? this.#held.length : later, 0, { place, go: resolve });
    });
  }

  get isEmpty(): boolean {
    return this.#held.length === 0;
  }

  releaseOne(): void {
    const [chosen] = this.#held.splice(this.#choose(this.#held.length), 1);
    chosen?.go();
  }
}
