export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** A moment some milliseconds after another. */
export function after(timestamp: string | undefined, milliseconds: number): string {
  return new Date(Date.parse(timestamp ?? "") + milliseconds).toISOString();
}
