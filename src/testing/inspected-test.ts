import { followTest } from "../inspected/follow.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { TestIdentity } from "./test-session.ts";

const paths = process.getBuiltinModule("node:path");

/** Shows the simulator of a test in the inspector of its run. */
export function inspectTest(sim: Simulator, { title, file }: Pick<TestIdentity, "title" | "file">): void {
  followTest(sim, { name: title, ...(file !== undefined && { file: inProject(file) }) });
}

/** Some runners give whole paths. */
function inProject(file: string): string {
  return file.startsWith(process.cwd()) ? paths.relative(process.cwd(), file).replaceAll("\\", "/") : file;
}
