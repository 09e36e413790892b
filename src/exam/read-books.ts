import { OriginalDate } from "../kit/base/runtime/dates.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { Books } from "./options.ts";
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
    amount: [(value) => typeof value === "number" && value >= 0, "its price in centavos"],
    refunded: [
      (value) => value === undefined || typeof value === "boolean" || (typeof value === "number" && value >= 0),
      "centavos, true or false",
    ],
  },
  memberships: { id: text, hasAccess: yesOrNo, paidUntil: moment },
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
  if (
    stock !== undefined &&
    (typeof stock !== "object" || stock === null || Object.values(stock).some((left) => typeof left !== "number"))
  )
    throw wrong("stock", stock, "how many of each item are left, such as { book: 20 }");
  return {
    ...(orders === undefined ? {} : { orders: rowsOf("orders", orders) as Books["orders"] & object }),
    ...(memberships === undefined
      ? {}
      : { memberships: rowsOf("memberships", memberships) as Books["memberships"] & object }),
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
    const fields = new Set([...Object.keys(FIELDS[name]), "plan"]);
    return Object.fromEntries(Object.entries(row).filter(([field, value]) => fields.has(field) && !isNothing(value)));
  });
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
