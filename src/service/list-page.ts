/** Rows of a list, newest first, and how many there are on all pages. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** Returns a page of rows that are in the order of creation. */
export function pageOf<Row>(
  rows: readonly Row[],
  { offset = 0, limit }: { offset?: number; limit: number },
): Page<Row> {
  return { rows: rows.toReversed().slice(offset, offset + limit), total: rows.length };
}
