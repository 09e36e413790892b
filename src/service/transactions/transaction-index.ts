import * as z from "zod/mini";
import { count, shapeOf } from "../../engine/row-schema.ts";
import type { TableObserver } from "../../engine/table.ts";
import { CentavoError } from "../../errors/centavo-error.ts";
import type { PaymentMethodKind } from "../payment-methods/test-methods.ts";
import { BitSet, countBits } from "./bit-set.ts";
import { amount, storedMoment } from "../fields.ts";
import { transactionStatus } from "./schema.ts";
import type { TransactionStatus } from "./schema.ts";

/** A stored transaction: the fields that lists filter by, and the id of its resource. */
export interface TransactionEntry {
  readonly id: string;
  readonly merchantId: string;
  /** Its position among the merchant's transactions, in order of creation. */
  readonly position: number;
  readonly resource: "payment_intent" | "checkout";
  readonly resourceId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Centavos. */
  readonly amount: number;
  readonly status: TransactionStatus;
  readonly externalId?: string;
  readonly kind?: PaymentMethodKind;
}

/** An entry in a snapshot. */
export const transactionEntry = shapeOf<TransactionEntry>()({
  id: z.string(),
  merchantId: z.string(),
  position: count,
  resource: z.enum(["payment_intent", "checkout"]),
  resourceId: z.string(),
  createdAt: storedMoment,
  amount,
  status: transactionStatus,
  externalId: z.optional(z.string()),
  kind: z.optional(z.enum(["card", "gcash", "grab_pay"])),
});

/** The filter of a list. Bounds are inclusive, times are in milliseconds since 1970. */
export interface TransactionFilter {
  readonly externalId?: string | undefined;
  readonly status?: TransactionStatus | undefined;
  readonly kind?: PaymentMethodKind | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly amountMin?: number | undefined;
  readonly amountMax?: number | undefined;
}

/** A page of a list, newest first. */
export interface FoundTransactions {
  readonly ids: readonly string[];
  readonly total: number;
}

/** A merchant's transactions in columns: slot i of each column belongs to the i-th transaction, oldest first. */
interface Columns {
  /** The position in each slot, without gaps unless transactions were forgotten. */
  readonly positions: number[];
  readonly ids: string[];
  readonly createdAt: number[];
  readonly amounts: number[];
  readonly byExternalId: Map<string, number[]>;
  readonly members: Map<TransactionStatus | PaymentMethodKind, BitSet>;
}

/** An index of each merchant's transactions, derived from the table's rows and never part of a snapshot. */
export class TransactionIndex implements TableObserver<TransactionEntry> {
  #merchants = new Map<string, Columns>();

  replaced(from: TransactionEntry | undefined, to: TransactionEntry | undefined): void {
    const entry = to ?? from;
    if (entry === undefined) return;
    const columns = this.#columnsOf(entry.merchantId);
    if (to !== undefined && from === undefined) append(columns, to);
    const slot = slotOf(columns, entry.position);
    for (const member of [from?.status, from?.kind])
      if (member !== undefined) columns.members.get(member)?.delete(slot);
    if (to === undefined) removeLast(columns, entry);
    for (const member of [to?.status, to?.kind]) if (member !== undefined) membersOf(columns, member).add(slot);
  }

  cleared(): void {
    this.#merchants = new Map();
  }

  /** Returns the position of a merchant's next transaction. */
  nextPosition(merchantId: string): number {
    return (this.#merchants.get(merchantId)?.positions.at(-1) ?? -1) + 1;
  }

  find(merchantId: string, filter: TransactionFilter, offset: number, limit: number): FoundTransactions {
    const columns = this.#columnsOf(merchantId);
    const { createdAt, amounts, ids } = columns;
    const first = filter.from === undefined ? 0 : lowerBound(createdAt, filter.from);
    const end = filter.to === undefined ? ids.length : lowerBound(createdAt, filter.to + 1);
    const { amountMin = 0, amountMax = Infinity } = filter;
    const checksAmount = filter.amountMin !== undefined || filter.amountMax !== undefined;
    const sets = [filter.status, filter.kind]
      .filter((member) => member !== undefined)
      .map((member) => membersOf(columns, member));
    const page: string[] = [];
    let total = 0;
    const take = (slot: number): void => {
      if (checksAmount && ((amounts[slot] as number) < amountMin || (amounts[slot] as number) > amountMax)) return;
      if (total >= offset && page.length < limit) page.push(ids[slot] as string);
      total += 1;
    };

    if (filter.externalId !== undefined) {
      const slots = columns.byExternalId.get(filter.externalId) ?? [];
      for (const slot of slots.toReversed()) {
        const isMember = sets.every((set) => ((set.word(slot >>> 5) >>> (slot & 31)) & 1) === 1);
        if (slot >= first && slot < end && isMember) take(slot);
      }
      return { ids: page, total };
    }
    if (end <= first) return { ids: page, total };
    // Destructured, because a loop over the sets for each of thousands of words would cost more than the words.
    const [one, other] = sets;
    for (let word = (end - 1) >> 5; word >= first >> 5; word -= 1) {
      let bits = maskOf(word, first, end);
      if (one !== undefined) bits &= one.word(word);
      if (other !== undefined) bits &= other.word(word);
      const counted = countBits(bits);
      // Only count a word that lies entirely before or after the page.
      if (!checksAmount && (total + counted <= offset || page.length >= limit)) total += counted;
      else for (; bits !== 0; bits &= ~(1 << (31 - Math.clz32(bits)))) take(word * 32 + 31 - Math.clz32(bits));
    }
    return { ids: page, total };
  }

  #columnsOf(merchantId: string): Columns {
    let columns = this.#merchants.get(merchantId);
    if (columns === undefined) {
      columns = { positions: [], ids: [], createdAt: [], amounts: [], byExternalId: new Map(), members: new Map() };
      this.#merchants.set(merchantId, columns);
    }
    return columns;
  }
}

function append(columns: Columns, entry: TransactionEntry): void {
  const { id, createdAt, externalId, position } = entry;
  if (position <= (columns.positions.at(-1) ?? -1))
    throw new CentavoError(
      "MACHINE_DEFECT",
      `The transaction ${id} is out of order: a merchant's transactions are stored in order of creation.`,
    );
  const slot = columns.ids.length;
  columns.positions.push(position);
  columns.ids.push(id);
  columns.createdAt.push(createdAt);
  columns.amounts.push(entry.amount);
  if (externalId === undefined) return;
  const slots = columns.byExternalId.get(externalId);
  if (slots === undefined) columns.byExternalId.set(externalId, [slot]);
  else slots.push(slot);
}

/** Removes the newest transaction. Only a rollback removes single transactions, newest first. */
function removeLast(columns: Columns, { externalId }: TransactionEntry): void {
  columns.positions.pop();
  columns.ids.pop();
  columns.createdAt.pop();
  columns.amounts.pop();
  if (externalId !== undefined) columns.byExternalId.get(externalId)?.pop();
}

/** Returns the slot of a position: at its offset, or found by binary search if transactions were forgotten in between. */
function slotOf({ positions }: Columns, position: number): number {
  const slot = position - (positions[0] ?? 0);
  return positions[slot] === position ? slot : lowerBound(positions, position);
}

function membersOf(columns: Columns, member: TransactionStatus | PaymentMethodKind): BitSet {
  let members = columns.members.get(member);
  if (members === undefined) {
    members = new BitSet();
    columns.members.set(member, members);
  }
  return members;
}

/** Returns the bits of a word whose slots lie from `first` up to, not including, `end`. */
function maskOf(word: number, first: number, end: number): number {
  const start = word * 32;
  const low = first <= start ? ~0 : ~0 << (first - start);
  const high = end >= start + 32 ? ~0 : ~(~0 << (end - start));
  return low & high;
}

/** Returns the first slot of a sorted column whose value is at least `value`. */
function lowerBound(column: readonly number[], value: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((column[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
