import { spawnSync } from "node:child_process";
import { join } from "node:path";

export const root = join(import.meta.dirname, "..");

/** Returns the median, so that a single slow round does not count. */
export function median(figures: readonly number[]): number {
  const sorted = figures.toSorted((left, right) => left - right);
  const middle = sorted[sorted.length >> 1];
  if (middle === undefined) throw new RangeError("The median needs at least one figure.");
  return middle;
}

/** Returns this process's processor time since then, in microseconds. Other load on the machine does not count. */
export function microsecondsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Returns the microseconds of processor time that each repetition takes, one after the other. */
export async function microsecondsEach(times: number, work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  for (let index = 0; index < times; index += 1) await work();
  return microsecondsSince(start) / times;
}

/**
 * Runs Node with these arguments in a process of its own.
 * @returns what it printed, and the milliseconds of processor time that it and its children took
 * @throws {Error} when it fails, with what it printed
 */
export function runNode(
  args: readonly string[],
  { cwd = root, variables = {} }: { readonly cwd?: string; readonly variables?: Readonly<Record<string, string>> } = {},
): { readonly printed: string; readonly milliseconds: number } {
  const script = `TIMEFORMAT='%U %S'; time "$@" 2>&1 1>&3`;
  const env = { ...process.env, ...variables, CI: "1", NODE_COMPILE_CACHE: undefined };
  const { status, output } = spawnSync("bash", ["-c", script, "bash", process.execPath, ...args], {
    cwd,
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  });
  const [, errors = "", times = "", printed = ""] = output.map((text) => text ?? "");
  if (status !== 0) throw new Error(`node ${args.join(" ")} failed:\n${printed}${errors}`);
  const [user = 0, system = 0] = (times.trim().split("\n").at(-1) ?? "").split(" ").map(Number);
  return { printed, milliseconds: (user + system) * 1000 };
}

/** Returns the number that a file of this folder prints at its end, in a fresh process. */
export function figureOf(file: string, ...args: readonly string[]): number {
  const { printed } = runNode(["--expose-gc", join(import.meta.dirname, file), ...args]);
  return Number(printed.trim().split("\n").at(-1));
}
