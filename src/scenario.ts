/** Stories about a merchant and its payments. Write one once and run it by `centavo run` or in a test, through every way in. */
export type { Expect, Expectation } from "./scenario/expectation.ts";
export { runScenario } from "./scenario/run-scenario.ts";
export type { RunScenarioOptions, ScenarioResult } from "./scenario/run-scenario.ts";
export { scenario } from "./scenario/scenario.ts";
export type { Scenario, ScenarioOptions, Script } from "./scenario/scenario.ts";
export type { Stage } from "./scenario/stage.ts";
export type { MerchantSetup, Way } from "./scenario/ways.ts";
