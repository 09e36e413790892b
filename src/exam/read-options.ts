import type { ExamOptions } from "./options.ts";

/** The checked options with their defaults. */
export interface ReadOptions extends Omit<ExamOptions<unknown>, "seed" | "plans" | "replay"> {
  readonly seed: number | string;
  readonly plans: readonly [string, string];
  /** Whether `Date` is to follow the merchant's time: unless it is faked already. */
  readonly fakesDate: boolean;
}
