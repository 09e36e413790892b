import type { Trial } from "./trial.ts";

/**
 * The effect that a case must have on its order. `first fulfilment`: it was not fulfilled before, and is now. `one fulfilment`: it is
 * fulfilled once, even if that happened when the customer returned. `at most one`: it is fulfilled once or not yet. `none`: it is unpaid,
 * and nothing changed. `unchanged`: it was fulfilled once before, and nothing changed.
 */
export type ExpectedEffect = "first fulfilment" | "one fulfilment" | "at most one" | "none" | "unchanged";

/** An attack or mishap that a merchant's handler must withstand. */
export interface HostileCase {
  readonly name: string;
  readonly effect: ExpectedEffect;
  /** What a merchant who fails the case should do. */
  readonly remedy: string;
  /** Runs the case, or returns the reason why it does not apply. */
  readonly run: (trial: Trial) => Promise<string | void>;
}
