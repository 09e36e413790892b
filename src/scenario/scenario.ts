import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import type { SimulatorOptions } from "../simulator/payment-service.ts";
import type { Stage } from "./stage.ts";

/** Plays a story. To fail it, throw. */
export type Script = (stage: Stage) => Promise<void> | void;

/** The simulator options of a story, and how it treats unused faults. */
export interface ScenarioOptions extends SimulatorOptions {
  /** `"fail"`, the default, fails a story with a fault that never fired, because it does not test that fault; `"allow"` lets it pass. */
  readonly unusedFaults?: "fail" | "allow";
  /** Whether the process's `Date` follows the story's clock. `centavo run` lets it, unless something else fakes it; `runScenario` takes an option. */
  readonly fakeDate?: boolean;
}

/** A story that can be run. */
export interface Scenario {
  /** What it shows, as a sentence. */
  readonly title: string;
  readonly options: ScenarioOptions;
  readonly script: Script;
}

/**
 * Declares a story. Export it as the default of a file: `centavo run` then knows it by the file's name.
 *
 * @param title what it shows, as a sentence
 * @param options the simulator's options, such as seed, assumptions and clock, and whether a fault may stay unused
 * @param script gets the simulator, a client, the customer, the clock and `expect`
 * @throws {CentavoError} `INVALID_OPTION` without a title or a script
 *
 * @example
 * export default scenario("A card pays at once", async ({ client, clock, expect, step }) => {
 *   step("The customer pays with a card");
 *   const intent = await client.paymentIntents.create({ amount: 10_000 });
 *   await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
 *   await clock.settle();
 *   expect((await client.paymentIntents.status(intent.id)).status).toBe("succeeded");
 * });
 */
export function scenario(title: string, script: Script): Scenario;
export function scenario(title: string, options: ScenarioOptions, script: Script): Scenario;
export function scenario(title: string, optionsOrScript: ScenarioOptions | Script, lastScript?: Script): Scenario {
  const [options, script] =
    typeof optionsOrScript === "function" ? [{}, optionsOrScript] : [optionsOrScript, lastScript];
  if (typeof title !== "string" || title === "" || typeof script !== "function") {
    throw new CentavoError(
      "INVALID_OPTION",
      'scenario(title, options?, script) takes a sentence first and a function last, such as scenario("A card pays", async ({ client }) => { … }).',
    );
  }
  return { title, options, script };
}
