import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Tells the processes of a suite where to write what they observe. */
export const OBSERVATIONS_VARIABLE = "CENTAVO_DOCTOR_FOLDER";

/** What was observed in one process, each as soon as it was first seen. */
export type Observation =
  | { readonly kind: "simulator"; readonly baseUrl: string; readonly authUrl: string }
  /** The service of a base URL got a call. */
  | { readonly kind: "called"; readonly baseUrl: string }
  /** Interception kept a request from leaving. */
  | { readonly kind: "refused"; readonly origin: string; readonly call: string; readonly baseUrl?: string }
  /** A connection to another machine was made, or tried. */
  | { readonly kind: "left"; readonly host: string }
  /** A receiver accepted an event. */
  | { readonly kind: "accepted"; readonly url: string }
  /** A receiver answered an event that nothing had changed with a status that refuses it. */
  | { readonly kind: "declined"; readonly url: string; readonly status: number; readonly type: string }
  /** `verifyWebhook` refused a webhook. */
  | { readonly kind: "unverified"; readonly message: string }
  /** A call has had no answer for some seconds. */
  | { readonly kind: "hangs"; readonly id: number; readonly call: string }
  /** A call that hung was answered. */
  | { readonly kind: "ended"; readonly id: number };

/** What one process has observed. */
export type Observed = readonly Observation[];

/** Reads what the processes of a suite have written. A line that a killed process did not finish is left out. */
export function observedIn(folder: string): readonly Observed[] {
  return readdirSync(folder).map((name) =>
    readFileSync(join(folder, name), "utf8")
      .split("\n")
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as Observation];
        } catch {
          return [];
        }
      }),
  );
}
