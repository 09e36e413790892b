import type { StoreAdapter, StoreCall } from "../../merchant/process/store.ts";
import { nextMacrotask } from "../../kit/base/runtime/real-time.ts";
import { keepRows } from "./postgres-rows.ts";

/** How a merchant's driver reaches PostgreSQL. */
export interface PostgresDriver<Connection> {
  readonly connect: (database: string) => Connection;
  readonly query: (connection: Connection, sql: string) => Promise<readonly unknown[]>;
  /** How many calls wait for a connection while none is free. */
  readonly waiting: (connection: Connection) => number;
  readonly isWrite: (call: StoreCall) => boolean;
  /** The numbers of the server's processes that serve the connections; undefined where the driver does not tell. */
  readonly processes?: (connection: Connection) => readonly number[];
  /** Ends connections. It may never resolve where a program that has ended holds one. */
  readonly end: (connection: Connection) => Promise<unknown>;
}

/** What a driver's own options have besides. */
interface ServerOptions<Connection> {
  readonly create: (connection: Connection) => unknown;
  readonly maintenanceDatabase?: string;
}

/** How old a database is that an interrupted exam has left, in seconds. */
const LEFT = 86_400;

/**
 * Makes the store of a merchant on PostgreSQL: a database of the exam's own on a server. When the program ends, its connections end, and the
 * server rolls back what it has not committed.
 */
export function postgresStoreOf<Connection extends object>(
  driver: PostgresDriver<Connection>,
  { create, maintenanceDatabase = "postgres" }: ServerOptions<Connection>,
): StoreAdapter<Connection> {
  let database: string | undefined;
  let server: Connection | undefined;
  /** The connections of programs that run. */
  const open = new Set<Connection>();

  const connect = (): Connection => {
    const connection = driver.connect(String(database));
    open.add(connection);
    return connection;
  };
  const leave = (connection: Connection): void => {
    open.delete(connection);
    driver.end(connection).catch(() => undefined);
  };

  const ask = async <Row>(sql: string): Promise<readonly Row[]> =>
    (server === undefined ? [] : await driver.query(server, sql)) as readonly Row[];
  /** @param which a further condition, such as `and pid = 1` */
  const endSessions = async (which = ""): Promise<void> => {
    const sessions = `from pg_stat_activity where datname = '${database}' ${which}`;
    // Who waits for a lock ends first. Otherwise it would get the lock of one that has ended, and go on.
    await ask(`select pg_terminate_backend(pid) ${sessions} order by wait_event_type = 'Lock' desc nulls last`);
    while ((await ask(`select pid ${sessions}`)).length > 0) await nextMacrotask();
  };

  const close = async (): Promise<void> => {
    if (database !== undefined) await ask(`drop database if exists ${database} with (force)`);
    if (server !== undefined) await driver.end(server);
    database = undefined;
    server = undefined;
  };

  return {
    open: async () => {
      server = driver.connect(maintenanceDatabase);
      try {
        await dropWhatIsLeft(ask);
        database = await newDatabase(ask);
        const connection = connect();
        await create(connection);
        return connection;
      } catch (error) {
        await close();
        throw error;
      }
    },
    isWrite: driver.isWrite,
    keep: (connection) => keepRows((sql) => driver.query(connection, sql)),
    putBack: (connection, restore) => driver.query(connection, String(restore)),
    reconnect: async (connection) => {
      await endSessions();
      leave(connection);
      return connect();
    },
    ...(driver.processes !== undefined && {
      connectAnother: connect,
      disconnect: async (connection: Connection) => {
        const processes = driver.processes?.(connection) ?? [];
        if (processes.length > 0) await endSessions(`and pid in (${processes.join(", ")})`);
        leave(connection);
      },
    }),
    blocked: async () => {
      const waiting = await ask<Waiting>(
        `select pid, pg_blocking_pids(pid) as by from pg_locks join pg_stat_activity using (pid) where not granted and datname = '${database}' and backend_type = 'client backend'`,
      );
      return [...open].reduce((sum, connection) => sum + driver.waiting(connection), countHeldUp(waiting));
    },
    close: async (connection) => {
      leave(connection);
      await close();
    },
  };
}

type Ask = <Row>(sql: string) => Promise<readonly Row[]>;

async function newDatabase(ask: Ask): Promise<string> {
  const [row] = await ask<{ readonly name: string }>(
    "select format('centavo_exam_%s_%s', extract(epoch from now())::bigint, left(md5(format('%s %s', random(), pg_backend_pid())), 8)) as name",
  );
  const name = String(row?.name);
  await ask(`create database ${name}`);
  return name;
}

async function dropWhatIsLeft(ask: Ask): Promise<void> {
  const left = await ask<{ readonly name: string }>(
    `select datname as name from pg_database where datname ~ '^centavo_exam_[0-9]+_[0-9a-f]+$' and split_part(datname, '_', 3)::bigint < extract(epoch from now()) - ${LEFT} and datname not in (select datname from pg_stat_activity where datname is not null)`,
  );
  for (const { name } of left) await ask(`drop database if exists ${name}`);
}

/** A session that waits for a lock of others. */
interface Waiting {
  readonly pid: number;
  readonly by: readonly number[];
}

/** Counts the sessions that wait for one that waits for none. In a deadlock nobody does, and the server ends it by itself. */
function countHeldUp(waiting: readonly Waiting[]): number {
  const blockers = new Map(waiting.map(({ pid, by }) => [pid, by]));
  const isHeldUp = (pid: number, met: ReadonlySet<number>): boolean =>
    !met.has(pid) && (blockers.get(pid)?.some((by) => isHeldUp(by, new Set([...met, pid]))) ?? true);
  return [...blockers.keys()].filter((pid) => isHeldUp(pid, new Set())).length;
}
