/** A wait that moves a story forward. */
export interface Driver {
  /** Waits while a newer one drives, at most until something else is over. */
  readonly turn: (over?: Promise<unknown>, isOver?: () => boolean) => Promise<void>;
  /** Whether a newer one has begun since the last turn, so that what this one has found out may no longer be true. */
  readonly hasLostTurn: () => boolean;
}

/** Lets only the newest of several waits drive a story. Two at once would act on what the other has just changed. */
export class Drivers {
  /** One promise for each wait that has not ended, in order. */
  #waits: readonly Promise<void>[] = [];
  #begun = 0;

  async run<Result>(drive: (driver: Driver) => Promise<Result>): Promise<Result> {
    const { promise: own, resolve: end } = Promise.withResolvers<void>();
    this.#waits = [...this.#waits, own];
    this.#begun += 1;
    let begunBefore = this.#begun;
    try {
      return await drive({
        turn: async (over, isOver = () => false) => {
          for (let newest = this.#waits.at(-1); newest !== own && !isOver(); newest = this.#waits.at(-1))
            await Promise.race([newest, over ?? newest]);
          begunBefore = this.#begun;
        },
        hasLostTurn: () => begunBefore !== this.#begun,
      });
    } finally {
      this.#waits = this.#waits.filter((wait) => wait !== own);
      end();
    }
  }
}
