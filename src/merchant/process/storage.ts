import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import { aMillisecond, nextMacrotask } from "../../kit/base/runtime/real-time.ts";
import { copyOf } from "./copies.ts";
import { gatedDatabase } from "./database.ts";
import type { MerchantProcess } from "./merchant-process.ts";
import { OpenCalls } from "./open-calls.ts";
import { isObject } from "./plain-data.ts";
import { seenValue } from "./seen-values.ts";
import { isAdapter } from "./store.ts";
import type { StoreAdapter } from "./store.ts";

/** Hooks around the merchant's writes. */
export interface WritePoint {
  /** Called before a write. Returns a function to call after the write. */
  readonly write: () => () => void;
  /** Called with each asynchronous call. Returns a function to wait for before its answer comes, if something else decides the order of answers. */
  readonly called?: () => () => Promise<void>;
}

/** How many turns of the event loop a wait for the database takes at once. Later ones take a millisecond. */
const QUICK_TURNS = 12;

/** Waits for a call of an adapter. */
type WaitForStore = (name: string, work: () => Promise<unknown>) => Promise<unknown>;

/** What outlives the merchant's program: a copy of a value, or a database. */
export class Storage {
  readonly #caller: string;
  readonly #wait: WaitForStore;
  readonly #given: unknown;
  #current: unknown;
  /** The state that every story after the first restores. */
  #kept: { readonly state: unknown } | undefined;
  /** Whether the database has ever answered asynchronously. */
  #isAsynchronous = false;
  #undoing: Promise<unknown> | undefined;
  /** The connections of the runs of programs that use the store. */
  readonly #users = new Map<MerchantProcess, unknown>();
  /** The asynchronous calls that the database has not answered. */
  readonly calls = new OpenCalls();

  /**
   * @param caller the function whose option `store` is `given`
   * @param wait waits for a call of the adapter, which it gets by its name
   * @throws {CentavoError} `INVALID_OPTION` for a value that cannot be copied
   */
  constructor(caller: string, given: unknown, wait: WaitForStore = (_, work) => work()) {
    this.#caller = caller;
    this.#wait = wait;
    this.#given = isAdapter(given) ? given : this.#copy(given ?? new Map(), (value) => refuseToCopy(caller, value));
  }

  /** Whether two programs can use the store at once. On one connection, they would share their transactions. */
  get takesTwoPrograms(): boolean {
    const given = this.#given;
    return !isAdapter(given) || (given.connectAnother !== undefined && given.disconnect !== undefined);
  }

  get current(): unknown {
    return this.#current;
  }

  /** Opens the store in the state that the first start finds. */
  async begin(): Promise<void> {
    const given = this.#given;
    if (!isAdapter(given)) {
      this.#current = this.#copy(given);
      return;
    }
    const { putBack } = given;
    if (this.#kept !== undefined && putBack !== undefined) {
      const { state } = this.#kept;
      await this.#wait("store.putBack", async () => putBack(this.#current, state));
      return;
    }
    const opened = await this.#wait("store.open", async () => given.open());
    if (!isObject(opened) && typeof opened !== "function") {
      throw new CentavoError(
        "INVALID_OPTION",
        `${this.#caller}: store.open() returned ${inWords(opened)}. It has to return the merchant's database.`,
      );
    }
    this.#current = opened;
    if (putBack !== undefined) this.#kept = { state: await this.#wait("store.keep", async () => given.keep?.(opened)) };
  }

  /** Returns the store for one run of the program: its writes are seen, and have no effect once the program has ended. */
  async for(process: MerchantProcess, point: WritePoint): Promise<unknown> {
    await this.#undoing;
    const given = this.#given;
    const connection = await this.#connection();
    if (process.isAlive) this.#users.set(process, connection);
    else if (isAdapter(given) && connection !== this.#current) await this.#disconnect(given, connection);
    if (!isAdapter(given)) return this.#seen(process, point);
    const untilTheEnd = process.ended.then((): never => {
      throw new ProgramEnded();
    });
    untilTheEnd.catch(() => undefined);
    return gatedDatabase(connection as object, {
      isWrite: (call) => given.isWrite(call),
      isOpen: () => process.isAlive,
      write: point.write,
      called: async (answer, call) => {
        this.#isAsynchronous = true;
        const turn = point.called?.();
        this.calls.begin(call, connection);
        return process.waitFor(async () => {
          try {
            return await answer;
          } finally {
            this.calls.end(call);
            if (process.isAlive) await turn?.();
          }
        });
      },
      untilTheEnd,
      stopped: () => {
        if (this.#isAsynchronous) return new Promise(() => undefined);
        throw new ProgramEnded();
      },
    });
  }

  async #connection(): Promise<unknown> {
    const given = this.#given;
    const current = this.#current;
    if (!isAdapter(given) || this.#users.size === 0) return current;
    return this.#wait("store.connectAnother", async () => given.connectAnother?.(current));
  }

  /** Values that change together count as one write, because a program cannot end between two statements with nothing in between. */
  #seen(process: MerchantProcess, { write }: WritePoint): unknown {
    let isWriting = false;
    const value = this.#current;
    // What another program goes on with is no copy, so nothing of this one may reach it any more.
    const refuseOnceEnded = (): void => {
      if (!process.isAlive && value === this.#current) throw new ProgramEnded();
    };
    return seenValue(value, () => {
      refuseOnceEnded();
      if (isWriting) return;
      isWriting = true;
      const after = write();
      refuseOnceEnded();
      queueMicrotask(() => {
        isWriting = false;
        after();
      });
    });
  }

  #copy<Value>(value: Value, other?: (value: unknown) => unknown): Value {
    try {
      return copyOf(value, other);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new CentavoError(
        "INVALID_OPTION",
        `${this.#caller}: the store is nested too deeply to be copied. Keep flatter values in it.`,
        { cause: error },
      );
    }
  }

  /**
   * Detaches the store from a program that has ended, so that its later changes are lost. Another program that still runs keeps what it has.
   * Returns a promise that never rejects.
   */
  part(process: MerchantProcess): Promise<void> {
    const connection = this.#users.get(process);
    this.#users.delete(process);
    return this.#users.size === 0 ? this.#detach() : this.#leave(connection);
  }

  #detach(): Promise<void> {
    const given = this.#given;
    const current = this.#current;
    if (!isAdapter(given)) this.#current = this.#copy(current);
    else if (current !== undefined) this.#undoAfter(this.#undoing, () => this.#undo(given, current));
    return this.#undone();
  }

  #leave(connection: unknown): Promise<void> {
    const given = this.#given;
    if (!isAdapter(given) || connection === undefined) return Promise.resolve();
    if (connection === this.#current) [this.#current] = this.#users.values();
    this.#undoAfter(this.#undoing, () => this.#disconnect(given, connection));
    return this.#undone();
  }

  #undoAfter(before: Promise<unknown> | undefined, work: () => Promise<void>): void {
    this.#undoing = (async () => {
      await before?.catch(() => undefined);
      await work();
    })();
  }

  /** What it rejects with is thrown when the program starts again. */
  #undone(): Promise<void> {
    return Promise.resolve(this.#undoing).then(
      () => undefined,
      () => undefined,
    );
  }

  async #disconnect({ disconnect }: StoreAdapter<unknown>, connection: unknown): Promise<void> {
    await this.#endConnection("store.disconnect", connection, async () => disconnect?.(connection));
  }

  async #undo({ rollBack, reconnect }: StoreAdapter<unknown>, current: unknown): Promise<void> {
    if (reconnect === undefined) {
      await this.#wait("store.rollBack", async () => rollBack?.(current));
      return;
    }
    await this.#endConnection("store.reconnect", current, async () => {
      this.#current = await reconnect(current);
    });
  }

  /** Waits for a call of the adapter that ends a connection. */
  async #endConnection(name: string, connection: unknown, end: () => Promise<unknown>): Promise<void> {
    await this.#wait(name, async () => {
      // What has reached the database is done there, even if the program ends before the answer.
      await this.rests(() => false);
      await end();
      this.calls.forget(connection);
    });
  }

  /**
   * Waits until the database has answered every call, except those that wait for other calls.
   * @param isEnough called in each turn, to end the wait; gets how many turns a call has taken, or 0 while the store tells which calls wait
   */
  async rests(isEnough: (turns: number) => boolean): Promise<void> {
    const { calls } = this;
    const blocked = isAdapter(this.#given) ? this.#given.blocked : undefined;
    for (let turns = 0; calls.atWork > 0 && !isEnough(blocked === undefined ? turns : 0); turns += 1) {
      const { answers } = calls;
      if (turns > QUICK_TURNS && blocked !== undefined) {
        const count = await blocked(this.#current);
        if (answers === calls.answers && count >= calls.atWork) return;
      }
      await Promise.race([calls.ended, turns < QUICK_TURNS ? nextMacrotask() : aMillisecond()]);
      if (answers !== calls.answers) turns = 0;
    }
  }

  /** Ends the store until the next `begin`. */
  async end(): Promise<void> {
    const others = [...this.#users.values()].filter((connection) => connection !== this.#current);
    this.#users.clear();
    for (const connection of new Set(others)) await this.#leave(connection);
    await this.#detach();
    await this.#undoing;
    this.#undoing = undefined;
    if (this.#kept === undefined) await this.close();
  }

  /** Ends the database. */
  async close(): Promise<void> {
    const current = this.#current;
    this.#current = undefined;
    this.#kept = undefined;
    const given = this.#given;
    if (isAdapter(given) && current !== undefined) await this.#wait("store.close", async () => given.close?.(current));
  }
}

/** Thrown when a program that has ended calls a synchronous database, or changes a value. */
class ProgramEnded extends Error {
  override readonly name = "ProgramEnded";

  constructor() {
    super("This run of the merchant's program has ended.");
  }
}

function refuseToCopy(caller: string, value: unknown): never {
  const what = typeof value === "function" ? "a function" : `an instance of ${constructorOf(value)}`;
  throw new CentavoError(
    "INVALID_OPTION",
    `${caller}: the option store holds ${what}, which cannot be copied. ` +
      "Give plain data, such as a Map, or an adapter: { open, isWrite }.",
  );
}

function constructorOf(value: unknown): string {
  const { constructor } = value as { readonly constructor?: unknown };
  return typeof constructor === "function" && constructor.name !== "" ? constructor.name : "a class";
}
