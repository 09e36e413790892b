import { hash } from "node:crypto";
import { accessSync, closeSync, constants, existsSync, openSync, readFileSync, rmSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { DAMAGED, stateProblem, WAY_OUT, WrongFile } from "./problems.ts";
import { loadSqlite } from "./sqlite.ts";
import { isDamagedLog } from "./write-ahead-log.ts";

/** Marks a file as ours: "cent" in ASCII. */
const APPLICATION = 0x63_65_6e_74;
/** Goes up when an earlier version of Centavo could no longer read the file. */
const FORMAT = 1;

const TABLES = `
  CREATE TABLE worlds (name TEXT PRIMARY KEY, options TEXT NOT NULL, beginning TEXT NOT NULL, checksum TEXT NOT NULL) STRICT;
  CREATE TABLE inputs (number INTEGER PRIMARY KEY, world TEXT NOT NULL, text TEXT NOT NULL, checksum TEXT NOT NULL) STRICT;
  CREATE INDEX inputs_of_world ON inputs (world);
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${FORMAT};`;

/** A SQLite file that holds worlds: the beginning of each, and the inputs that came after it, in order. Only one process has it open. */
export class StateFile {
  readonly path: string;
  readonly #database: DatabaseSync;
  readonly #begin: StatementSync;
  readonly #add: StatementSync;
  readonly #forgetInputs: StatementSync;
  readonly #forgetWorld: StatementSync;

  /** @throws {CentavoError} `INVALID_OPTION` for a file that is not ours, is damaged, is in use or cannot be written; it then stays as it is */
  constructor(given: string) {
    // SQLite would keep nothing of a path such as ":memory:", or of none.
    const path = resolve(given);
    this.path = path;
    const { DatabaseSync } = loadSqlite();
    let database: DatabaseSync | undefined;
    try {
      // Even a file that is only opened and closed is written: what a killed server has left beside it goes into it.
      if (hasLog(path)) examine(path, DatabaseSync);
      createForOwner(path);
      database = new DatabaseSync(path);
      prepare(database);
      this.#database = database;
      this.#begin = database.prepare("INSERT OR REPLACE INTO worlds VALUES (?, ?, ?, ?)");
      this.#add = database.prepare("INSERT INTO inputs (world, text, checksum) VALUES (?, ?, ?)");
      this.#forgetInputs = database.prepare("DELETE FROM inputs WHERE world = ?");
      this.#forgetWorld = database.prepare("DELETE FROM worlds WHERE name = ?");
    } catch (error) {
      database?.close();
      throw stateProblem("INVALID_OPTION", path, error);
    }
  }

  /**
   * Returns the name of each world, and the options that it was written with.
   * @throws {CentavoError} `INVALID_OPTION`
   */
  worlds(): ReadonlyMap<string, unknown> {
    const rows = this.#database.prepare("SELECT name, options FROM worlds ORDER BY name").all();
    try {
      return new Map(rows.map(({ name, options }) => [String(name), JSON.parse(String(options)) as unknown]));
    } catch {
      throw stateProblem("INVALID_OPTION", this.path, new WrongFile(DAMAGED));
    }
  }

  /**
   * Returns the beginning of a world, and then its inputs, in order.
   * @throws {WrongFile} when a text was changed after it was written
   */
  textsOf(world: string): readonly string[] {
    const worlds = this.#database.prepare("SELECT options, beginning AS text, checksum FROM worlds WHERE name = ?");
    const inputs = this.#database.prepare("SELECT text, checksum FROM inputs WHERE world = ? ORDER BY number");
    const [begun] = worlds.all(world);
    let before = checksumOf(String(begun?.["options"]), world);
    return [...(begun === undefined ? [] : [begun]), ...inputs.all(world)].map(({ text, checksum }) => {
      before = checksumOf(String(text), before);
      if (checksum !== before) throw new WrongFile(`a text in it was changed after it was written. ${WAY_OUT}`);
      return String(text);
    });
  }

  /** Writes the beginning of a world in place of all that the file has of it. Returns its checksum. */
  begin(world: string, given: unknown, text: string): string {
    const options = JSON.stringify(given);
    const checksum = checksumOf(text, checksumOf(options, world));
    this.#forgetInputs.run(world);
    this.#begin.run(world, options, text, checksum);
    return checksum;
  }

  /**
   * Adds inputs of a world.
   * @param before the checksum of what was written of the world before
   * @returns their checksum
   */
  add(world: string, text: string, before: string): string {
    const checksum = checksumOf(text, before);
    this.#add.run(world, text, checksum);
    return checksum;
  }

  forget(world: string): void {
    this.#forgetInputs.run(world);
    this.#forgetWorld.run(world);
  }

  /** Does all of it or, when it throws, nothing. */
  inTransaction(work: () => void): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      work();
      this.#database.exec("COMMIT");
    } catch (error) {
      // SQLite has already rolled back when the disk is full.
      if (this.#database.isTransaction) this.#database.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }
}

/** Returns a checksum of a text that also covers what came before it. */
function checksumOf(text: string, before: string): string {
  return hash("sha256", `${before}\n${text}`);
}

/** Creates an empty file that only its owner can read, unless there is one. SQLite itself would not say that a file is read-only. */
function createForOwner(path: string): void {
  try {
    accessSync(dirname(path), constants.W_OK);
    if (existsSync(path)) accessSync(path, constants.W_OK);
    else closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EACCES" || code === "EPERM" || code === "EROFS")
      throw new WrongFile("it is read-only. Make the file and its folder writable, or give another file");
    // SQLite says of the rest why it cannot be opened.
  }
}

/** Whether a killed server has left beside a file what belongs into it. */
function hasLog(path: string): boolean {
  return (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

/**
 * Checks a file and what was left beside it, and leaves both as they are.
 * @throws {WrongFile} and what SQLite throws
 */
function examine(path: string, Database: typeof DatabaseSync): void {
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0)
    throw new WrongFile(`it is empty, and ${basename(path)}-wal beside it is not. ${WAY_OUT}`);
  const index = `${path}-shm`;
  const isNew = !existsSync(index);
  const database = new Database(path, { readOnly: true });
  try {
    check(database);
    if (isDamagedLog(readFileSync(`${path}-wal`))) throw new WrongFile(DAMAGED);
  } finally {
    database.close();
    if (isNew) rmSync(index, { force: true });
  }
}

function prepare(database: DatabaseSync): void {
  // The first read locks the file until it is closed, or the process ends.
  database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = NORMAL");
  if (!check(database)) database.exec(`BEGIN EXCLUSIVE; ${TABLES} COMMIT`);
  database.exec("PRAGMA journal_mode = WAL; PRAGMA journal_size_limit = 4194304");
}

/**
 * Checks that a database is ours or empty, and whole.
 * @returns whether it has our tables
 * @throws {WrongFile}
 */
function check(database: DatabaseSync): boolean {
  const found = (of: string): unknown => Object.values(database.prepare(of).get() ?? {})[0];
  const application = found("PRAGMA application_id");
  const format = found("PRAGMA user_version");
  const tables = found("SELECT count(*) FROM sqlite_schema");
  if (application !== APPLICATION && (application !== 0 || format !== 0 || tables !== 0))
    throw new WrongFile("it is the database of another program. Give another file");
  if (application === APPLICATION && Number(format) > FORMAT)
    throw new WrongFile("a newer version of Centavo wrote it. Use that version, or give another file");
  const wrong = found("PRAGMA integrity_check");
  if (wrong !== "ok") throw new WrongFile(`${DAMAGED} (${String(wrong).replaceAll(/\s+/g, " ")})`);
  return application === APPLICATION;
}
