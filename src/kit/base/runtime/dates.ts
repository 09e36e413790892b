const { Date: DateFromTheStart } = globalThis;

/**
 * `Date` as it was when Centavo was imported. A test may replace it by one that throws for any time that it is given, as fake timers on top
 * of others do, or that has lost its functions.
 */
export const OriginalDate: DateConstructor = DateFromTheStart;
