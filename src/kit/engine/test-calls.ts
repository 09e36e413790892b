/** The calls of the test that take a while, such as moves of the clock and visits, and those that read nothing. Only a report of causes reads them. */
export class TestCalls {
  readonly #open = new Set<{ readonly name: string }>();
  /** Whether the test has failed. Calls that are open then stay open, although they may end before anybody reports the failure. */
  hasFailed = (): boolean => false;
  /** The first call that the clock moved past, and the call that moved it. */
  overtaken: { readonly call: string; readonly by: string } | undefined;

  /** The last call of a reader for an id that this world does not have. */
  unfound: { readonly reader: string; readonly id: string } | undefined;

  /** The names of the calls that have not ended. */
  get open(): readonly string[] {
    return [...this.#open].map(({ name }) => name);
  }

  /** Counts a call as open until it ends. What begins after the failure is no longer the test's. */
  async during<Result>(name: string, call: () => Promise<Result>): Promise<Result> {
    if (this.hasFailed()) return call();
    const open = { name };
    this.#open.add(open);
    try {
      return await call();
    } finally {
      if (!this.hasFailed()) this.#open.delete(open);
    }
  }

  /** Notes that a call of the test moves the clock now. A hook after the failure says nothing about the test. */
  clockMoves(by: string): void {
    if (this.hasFailed()) return;
    const [call] = this.open;
    if (call !== undefined) this.overtaken ??= { call, by };
  }
}
