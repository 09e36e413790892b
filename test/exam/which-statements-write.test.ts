import { DatabaseSync } from "node:sqlite";
import { sqliteStore } from "centavo/exam";
import { expect, test } from "vitest";

const { isWrite } = sqliteStore({ open: () => new DatabaseSync(":memory:"), create: () => undefined });

function isWriteOf(sql: string): boolean {
  return isWrite({ method: "exec", parameters: [sql] } as never);
}

test.each([
  "insert into orders values (1)",
  "  UPDATE orders SET paid = 1",
  "with due as (select 1) delete from orders",
  "commit",
  "/* orders.save */ insert into orders values (1)",
  "-- orders.save\nupdate orders set paid = 1",
  "/**/ /* a * b ** */\n-- one\n-- another\n with due as (select 1) update orders set paid = 1",
])("%j writes", (sql) => {
  expect(isWriteOf(sql)).toBe(true);
});

test.each([
  "select * from orders",
  "/* insert */ select 1",
  "-- update\nselect 1",
  "-- update orders",
  "/* insert into orders",
  "with due as (select 1) select * from due",
  "begin",
])("%j does not write", (sql) => {
  expect(isWriteOf(sql)).toBe(false);
});
