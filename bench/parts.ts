import { breakDownFlows } from "./breakdown.ts";
import { measureCopies } from "./copies.ts";
import { measureExam } from "./exam.ts";
import { measureFloor } from "./floor.ts";
import { measureGrowth } from "./growth.ts";
import { measureHostileRequests } from "./hostile.ts";
import { measureImports } from "./imports.ts";
import { measureLists } from "./lists.ts";
import { measureReport } from "./report.ts";
import { measureServer } from "./server.ts";
import { measureOpening, measureSimulators, measureTests } from "./simulators.ts";
import { measureCycles, measureSubscriptions } from "./subscriptions.ts";
import type { Measured } from "./table.ts";
import { compareWays } from "./ways.ts";
import { measureWithSimulator } from "./with-simulator.ts";

/** The parts of the bench, by the names by which each can be run alone. */
export const parts: Readonly<Record<string, () => Promise<Measured>>> = {
  ways: compareWays,
  stages: breakDownFlows,
  floor: measureFloor,
  server: measureServer,
  imports: measureImports,
  hostile: measureHostileRequests,
  opening: measureOpening,
  tests: measureTests,
  withSimulator: measureWithSimulator,
  simulators: measureSimulators,
  subscriptions: measureSubscriptions,
  exam: measureExam,
  report: measureReport,
  growth: measureGrowth,
  cycles: measureCycles,
  copies: measureCopies,
  lists: measureLists,
};
