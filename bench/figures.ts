import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What a test file of 20 small tests costs one kind of mock, in milliseconds of processor time. */
export interface FileCost {
  /** In a fresh process, without what an empty file costs. */
  readonly cold: number;
  /** 20 further tests of the same file. */
  readonly warm: number;
}

/** One cost, and what it is compared with. */
export interface Comparison {
  readonly what: string;
  readonly unit: "µs" | "ms" | "MB";
  readonly cost: number;
  readonly beside: string;
  readonly costBeside: number;
}

/** What so many servers behind HAProxy answer. */
export interface ServersFigures {
  readonly servers: number;
  /** Answers in a second. */
  readonly rate: number;
  /** The processor time that the servers take for an answer, in microseconds. */
  readonly server: number;
  /** The same of HAProxy. */
  readonly router: number;
}

/** How many seconds a suite takes in the shards of its runner. */
export interface ShardsFigures {
  readonly runner: string;
  readonly whole: number;
  /** Two shards at once, on this machine. */
  readonly together: number;
  /** The longest of two shards that run alone, as if each had a machine. */
  readonly halves: number;
  readonly quarters: number;
}

/** What the last run of each part measured, and where. */
export interface Figures {
  readonly measured: { readonly on: string; readonly node: string; readonly cores: number };
  /** By runner, then by kind of mock. */
  readonly files: Readonly<Record<string, Readonly<Record<string, FileCost>>>>;
  /** By part. */
  readonly comparisons: Readonly<Record<string, readonly Comparison[]>>;
  readonly servers?: readonly ServersFigures[];
  readonly shards?: readonly ShardsFigures[];
}

const file = join(import.meta.dirname, "figures.json");

export function readFigures(): Figures | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Figures) : undefined;
}

export function writeFigures(figures: Figures): void {
  const rounded = (_key: string, value: unknown): unknown =>
    typeof value === "number" ? Number(value.toPrecision(4)) : value;
  writeFileSync(file, `${JSON.stringify(figures, rounded, 2)}\n`);
}
