import { OriginalDate } from "../kit/base/runtime/dates.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import { refundOf } from "./evidence.ts";
import type { Books, MembershipInBooks, OrderInBooks } from "./options.ts";
import { withoutSecrets } from "./without-secrets.ts";

type Check = readonly [isRight: (value: unknown) => boolean, takes: string];

const text: Check = [(value) => typeof value === "string" && value !== "", "text"];
const count: Check = [(value) => Number.isSafeInteger(value) && (value as number) >= 0, "a whole number of at least 0"];
const yesOrNo: Check = [(value) => typeof value === "boolean", "true or false"];
const moment: Check = [
  (value) => isNothing(value) || !Number.isNaN(new OriginalDate(value as string).getTime()),
  'a moment such as "2026-02-01T00:00:00Z"',
];

const FIELDS: Readonly<Record<"orders" | "memberships", Readonly<Record<string, Check>>>> = {
  orders: {
    id: text,
    status: text,
    fulfilments: count,
    amount: [isAmount, "its price as a number of centavos"],
    refunded: [
      (value) => isNothing(value) || typeof value === "boolean" || isAmount(value),
      "a number of centavos, true or false",
    ],
  },
  memberships: {
    id: text,
    hasAccess: yesOrNo,
    paidUntil: moment,
    plan: [(value) => isNothing(value) || typeof value === "string", "text"],
  },
};

/**
 * Checks what a merchant's `books` returned, and copies what the laws read.
 * @throws {CentavoError} `INVALID_OPTION` naming the field, its value and what it takes, or what reading it threw, as a getter may
 */
export function readBooks(given: unknown): Books {
  try {
    return checkedBooks(given);
  } catch (error) {
    if (error instanceof CentavoError) throw error;
    throw new CentavoError("INVALID_OPTION", `exam: what books returned cannot be read: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

function checkedBooks(given: unknown): Books {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new CentavoError(
      "INVALID_OPTION",
      `exam: books returned ${shown(given)}. It has to return { orders }, { memberships } or both.`,
    );
  refuseUnknownOptions("exam: books", given, ["orders", "memberships", "stock"]);
  const { orders, memberships, stock } = given as Books;
  if (stock !== undefined && !isStock(stock))
    throw wrong("stock", stock, "how many of each item are left, such as { book: 20 }");
  return {
    ...(orders === undefined ? {} : { orders: byId(rowsOf("orders", orders) as readonly OrderInBooks[], oneOrder) }),
    ...(memberships === undefined
      ? {}
      : { memberships: byId(rowsOf("memberships", memberships) as readonly MembershipInBooks[], oneMembership) }),
    ...(stock === undefined ? {} : { stock: { ...stock } }),
  };
}

function rowsOf(name: "orders" | "memberships", rows: unknown): readonly object[] {
  if (!Array.isArray(rows)) throw wrong(name, rows, "a list");
  return rows.map((row: unknown, index) => {
    if (typeof row !== "object" || row === null)
      throw wrong(`${name}[${index}]`, row, `an object with ${Object.keys(FIELDS[name]).join(", ")}`);
    for (const [field, [isRight, takes]] of Object.entries(FIELDS[name])) {
      const value = (row as Readonly<Record<string, unknown>>)[field];
      if (!isRight(value)) throw wrong(`${name}[${index}].${field}`, value, takes);
    }
    return Object.fromEntries(
      Object.keys(FIELDS[name])
        .map((field) => [field, (row as Readonly<Record<string, unknown>>)[field]] as const)
        .filter(([, value]) => !isNothing(value)),
    );
  });
}

/** Returns one row for each id, because a shop may keep a row for each attempt to pay. */
function byId<Row extends { readonly id: string }>(rows: readonly Row[], one: (same: readonly Row[]) => Row): Row[] {
  return [...Map.groupBy(rows, ({ id }) => id).values()].map((same) =>
    same.length === 1 ? (same[0] as Row) : one(same),
  );
}

/** Adds up what was fulfilled and refunded. The rest is of the row that was fulfilled, or else of the last one. */
function oneOrder(rows: readonly OrderInBooks[]): OrderInBooks {
  const row = rows.findLast(({ fulfilments }) => fulfilments > 0) ?? rows.at(-1);
  return {
    ...(row as OrderInBooks),
    fulfilments: sumOf(rows.map(({ fulfilments }) => fulfilments)),
    refunded: sumOf(rows.map((each) => refundOf(each, each.amount))),
  };
}

function oneMembership(rows: readonly MembershipInBooks[]): MembershipInBooks {
  return rows.findLast(({ hasAccess }) => hasAccess) ?? (rows.at(-1) as MembershipInBooks);
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}

function isAmount(value: unknown): boolean {
  return Number.isFinite(value) && (value as number) >= 0;
}

/** Whether a value has a number for each item. A `Map` would seem to have no items. */
function isStock(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Symbol.iterator in value) return false;
  return Object.values(value).every((left) => Number.isFinite(left));
}

/** Databases and forms store an unknown value as `null` or as empty text. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function wrong(field: string, value: unknown, takes: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `exam: books returned ${field} as ${shown(value)}. It takes ${takes}.`);
}

/** Quotes a value safely: a row of a merchant's database may contain anything. */
function shown(value: unknown): string {
  return withoutSecrets(inWords(value));
}
