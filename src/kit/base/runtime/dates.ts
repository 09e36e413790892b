/** Kept from the start: a `Date` of fake timers on top of other ones throws for any time that it is given. */
const { Date: DateOfTheProcess } = globalThis;

/** Returns a moment as a `Date`. */
export function dateOf(milliseconds: number): Date {
  return new DateOfTheProcess(milliseconds);
}
