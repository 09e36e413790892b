/** Finds the assumptions under which Centavo answers as the real service did, from recorded traffic. */
export { calibrate } from "./calibrate/calibrate.ts";
export type { CalibrateOptions } from "./calibrate/calibrate.ts";
export type { Calibration, Disagreement, Drift, PerformedAct, ShownRow } from "./calibrate/calibration.ts";
export type { RecordedFile } from "./calibrate/recordings.ts";
export type { LeftOut } from "./calibrate/steps.ts";
export type { Exchange, Header } from "./traffic/exchange.ts";
export type { AssumptionOverrides } from "./service/assumption-table.ts";
