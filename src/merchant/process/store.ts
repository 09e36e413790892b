export interface StoreCall {
  /** Such as `query`, `exec` or `run`. */
  readonly method: string;
  readonly parameters: readonly unknown[];
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
