import { randomBytes } from "node:crypto";
import { areEqualSecrets } from "../../kit/base/runtime/equal-secrets.ts";
import { realTime } from "../../kit/base/runtime/real-time.ts";

/** How long a code can be used, in minutes of real time. */
export const CODE_MINUTES = 10;
/** How many codes wait to be used. Another one takes the place of the oldest. */
const MOST_CODES = 16;
/** How many wrong codes are given before all that wait are forgotten. */
const MOST_TRIES = 20;

/** Codes that work once, and not for long. */
export class OneTimeCodes {
  readonly #now: () => number;
  #codes: { readonly code: string; readonly until: number }[] = [];
  #tries = 0;

  /** @param now real time in milliseconds */
  constructor(now: () => number = realTime) {
    this.#now = now;
  }

  /**
   * Makes a code.
   * @param minutes how long it can be used, in real time
   */
  make(minutes = CODE_MINUTES): string {
    const code = randomBytes(24).toString("base64url");
    const until = this.#now() + minutes * 60_000;
    this.#codes = [...this.#codes, { code, until }].slice(-MOST_CODES);
    this.#tries = 0;
    return code;
  }

  /** How many codes wait to be used, also those that are too old. */
  get waiting(): number {
    return this.#codes.length;
  }

  /** Uses a code up. Returns false for one that is unknown, used or too old. */
  use(given: string): boolean {
    const now = this.#now();
    // All are compared, so that the time tells nothing.
    const others = this.#codes.filter(({ code }) => !areEqualSecrets(given, code));
    const used = this.#codes.find((waiting) => !others.includes(waiting));
    this.#codes = others;
    if (used !== undefined && used.until > now) return true;
    this.#tries += 1;
    if (this.#tries >= MOST_TRIES) this.#codes = [];
    return false;
  }
}
