import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { PrismaPg } from "@prisma/adapter-pg";
import type { Pool } from "pg";
import type { Row, Table } from "./shop.ts";

const program = join(import.meta.dirname, "../../../../installs/generators/prisma/node_modules/prisma/build/index.js");
export const generated = join(import.meta.dirname, "generated");

/** What the shop asks of the client that Prisma generates. */
interface PrismaClient {
  readonly order: Readonly<Record<"createMany" | "update", (query: object) => Promise<unknown>>> & {
    findMany(query: object): Promise<readonly Row[]>;
  };
  $queryRaw(sql: TemplateStringsArray, ...parameters: readonly string[]): Promise<readonly Row[]>;
  $transaction(work: (transaction: PrismaClient) => Promise<unknown>): Promise<unknown>;
}

/** Generates a client from `schema.prisma`. Returns the tables of a shop that uses it. */
export async function generatePrisma(): Promise<(pool: Pool) => Table> {
  // To generate, Prisma wants a schema engine but does not run it. Where it finds no program, it downloads one, and not from the npm registry.
  const env = { ...process.env, PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1" };
  const options = { cwd: import.meta.dirname, env, encoding: "utf8" } as const;
  const { status, stderr } = spawnSync(process.execPath, [program, "generate", "--schema", "schema.prisma"], options);
  if (status !== 0) throw new Error(`prisma generate: ${stderr}`);
  const { PrismaClient } = (await import(join(generated, "client.ts"))) as {
    readonly PrismaClient: new (options: { readonly adapter: PrismaPg }) => PrismaClient;
  };
  const tables = new WeakMap<Pool, Table>();
  return (pool) => {
    const table = tables.get(pool) ?? tableOf(new PrismaClient({ adapter: new PrismaPg(pool) }));
    tables.set(pool, table);
    return table;
  };
}

/** Looks before it writes, which is right only in a transaction that locks the row. */
function tableOf(prisma: PrismaClient): Table {
  const fulfilment = { status: "paid", fulfilments: { increment: 1 } };
  return {
    all: () => prisma.order.findMany({ orderBy: { id: "asc" } }),
    add: (id, amount) =>
      prisma.order.createMany({ data: { id, amount, status: "pending", fulfilments: 0 }, skipDuplicates: true }),
    link: (id, intent) => prisma.order.update({ where: { id }, data: { intent } }),
    fulfil: (id) =>
      prisma.$transaction(async (transaction) => {
        const [order] = await transaction.$queryRaw`select status from orders where id = ${id} for update`;
        if (order?.status !== "paid") await transaction.order.update({ where: { id }, data: fulfilment });
      }),
    fulfilAgain: (id) => prisma.order.update({ where: { id }, data: fulfilment }),
  };
}
