export interface StoreCall {
  /** Such as `query`, `exec` or `run`. */
  readonly method: string;
  readonly parameters: readonly unknown[];
  /** The object on which the call is made, such as a query builder. A builder that is awaited gets the call `then`. */
  readonly target: object;
  /** The call that returned the object on which this call is made, such as `prepare` for a statement. */
  readonly on?: StoreCall;
}

/**
 * Tells how a merchant's own database outlives its program: which calls write, and how the next story of an exam gets a clean state.
 *
 * @example
 * const writes = (sql: unknown) => /^\s*(insert|update|delete|commit)/i.test(String(sql));
 * const sqlite: StoreAdapter<DatabaseSync> = {
 *   open: () => openDatabase(":memory:"),
 *   isWrite: ({ method, parameters, on }) => writes(method === "exec" ? parameters[0] : on?.parameters[0]),
 *   rollBack: (database) => database.isTransaction && database.exec("ROLLBACK"),
 *   close: (database) => database.close(),
 * };
 */
export interface StoreAdapter<Store> {
  /**
   * Opens the database in the state that the merchant's first start finds: with its tables, and empty. Called for each story, or once if
   * there is a `putBack`.
   */
  readonly open: () => Store | Promise<Store>;
  /** Whether a call changes the data. The program can crash before and after such a call. */
  readonly isWrite: (call: StoreCall) => boolean;
  /** Returns the state of a database that was just opened. Called once. */
  keep?(this: void, store: Store): unknown;
  /** Restores a kept state before each story. Without it, each story opens its own database. */
  putBack?(this: void, store: Store, state: unknown): unknown;
  /** Rolls back what a crashed program began but did not commit. */
  rollBack?(this: void, store: Store): unknown;
  /**
   * Ends the connections of a crashed program, which rolls back what they began, and returns those of the next one. For a database whose
   * connections end with the program, instead of `rollBack`.
   */
  reconnect?(this: void, store: Store): Store | Promise<Store>;
  /**
   * Returns another connection, for a second program that runs at the same time. Without it and `disconnect`, every story has one program at a
   * time.
   */
  connectAnother?(this: void, store: Store): Store | Promise<Store>;
  /** Ends the connection of one of two programs, and rolls back what it began. The other goes on. */
  disconnect?(this: void, store: Store): unknown;
  /**
   * Returns how many calls wait for another call of the program, such as for a lock or for a free connection, and not for the database.
   * Without it, a call counts as one of these when it has taken some time and the program can go on without it.
   */
  blocked?(this: void, store: Store): number | Promise<number>;
  /** Closes a database that is no longer needed. */
  close?(this: void, store: Store): unknown;
}

/** Whether this is an adapter rather than a value. */
export function isAdapter(store: unknown): store is StoreAdapter<unknown> {
  return (
    typeof store === "object" &&
    store !== null &&
    "open" in store &&
    typeof store.open === "function" &&
    "isWrite" in store &&
    typeof store.isWrite === "function"
  );
}
