import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import type { StoreAdapter } from "../../merchant/process/store.ts";

/** What `redisStore` needs of a client, each as far as its package has it: `ioredis` has `call` and `disconnect`, `redis` the others. */
export interface RedisClient {
  on(event: "error", listener: (error: Error) => void): unknown;
  call?(command: string, ...parameters: string[]): unknown;
  sendCommand?(parameters: never): unknown;
  disconnect?(): unknown;
  destroy?(): unknown;
}

/** The options of `redisStore`. */
export interface RedisStoreOptions<Client extends RedisClient> {
  /** Returns a new client for a database of the server, by its number. Called for each start of the merchant's program. */
  readonly connect: (database: number) => Client | Promise<Client>;
  /** Makes the keys that every story begins with. Called before each story. */
  readonly create?: (client: Client) => unknown;
  /** The databases that the exam may use, of which it takes an empty one; 1 to 15 by default. */
  readonly databases?: readonly number[];
}

/** A key that keeps other exams from a database. */
const TAKEN = "centavo:exam";
/** Commands that change nothing, and methods that send none. */
const READS = new Set(
  [
    "get mget getrange strlen exists type ttl pttl keys scan dbsize info ping watch unwatch subscribe psubscribe publish",
    "hget hmget hgetall hkeys hvals hlen hexists hscan lrange llen lindex smembers sismember scard sscan",
    "zrange zrangebyscore zscore zcard zrank zcount zscan xrange xlen xread",
    "on once off connect duplicate multi pipeline quit disconnect destroy close",
  ].flatMap((names) => names.split(" ")),
);

/**
 * Makes the store of a merchant on Redis with `ioredis` or `redis`. It takes an empty database of the server, and empties it after the exam.
 *
 * @param options how to connect to a database of the server
 * @throws {CentavoError} `INVALID_STATE` when no database is empty, and what `connect` and `create` throw, when the exam opens the store
 *
 * @example
 * await exam({
 *   store: redisStore({ connect: (db) => new Redis({ host: "127.0.0.1", db }) }),
 *   open: ({ store, fetch, url }) => createShop({ redis: store, fetch, url }),
 *   books: async ({ store }) => ({ orders: await readOrders(store) }),
 *   acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
 * });
 */
export function redisStore<Client extends RedisClient>({
  connect,
  create = () => undefined,
  databases = Array.from({ length: 15 }, (_, index) => index + 1),
}: RedisStoreOptions<Client>): StoreAdapter<Client> {
  let database = 0;
  let own: Client | undefined;

  const newClient = async (): Promise<Client> => {
    const client = await connect(database);
    // Uncaught, the error of a connection that has ended would end the process.
    client.on("error", () => undefined);
    return client;
  };

  const empty = async (client: Client): Promise<void> => {
    await send(client, "flushdb");
    await send(client, "set", TAKEN, "taken");
    await create(client);
  };

  return {
    open: async () => {
      for (database of databases) {
        own = await newClient();
        if (Number(await send(own, "dbsize")) === 0 && (await send(own, "set", TAKEN, "taken", "nx")) !== null) {
          await empty(own);
          return newClient();
        }
        end(own);
      }
      throw new CentavoError(
        "INVALID_STATE",
        `redisStore: the databases ${databases.join(", ")} of the server hold keys, and the exam empties the one that it takes. Name an empty one in the option databases.`,
      );
    },
    isWrite: ({ method }) => !READS.has(method.toLowerCase()),
    keep: () => undefined,
    putBack: empty,
    reconnect: async (client) => {
      end(client);
      return newClient();
    },
    connectAnother: newClient,
    disconnect: end,
    blocked: async () => {
      const clients = own === undefined ? "" : String(await send(own, "client", "list"));
      return clients.split("\n").filter((line) => line.includes(` db=${database} `) && / flags=\w*b/.test(line)).length;
    },
    close: async (client) => {
      await send(client, "flushdb");
      end(client);
      if (own !== undefined) end(own);
    },
  };
}

async function send(client: RedisClient, command: string, ...parameters: string[]): Promise<unknown> {
  return client.call === undefined
    ? client.sendCommand?.([command, ...parameters] as never)
    : client.call(command, ...parameters);
}

function end(client: RedisClient): void {
  if (client.destroy === undefined) client.disconnect?.();
  else client.destroy();
}
