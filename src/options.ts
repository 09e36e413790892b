import { z } from "zod";
import { Assumptions } from "./assumptions.ts";
import type { AssumptionOverrides } from "./assumptions.ts";
import { durationMilliseconds, parseInstant } from "./engine/duration.ts";
import type { DurationLike, InstantLike } from "./engine/duration.ts";
import { CentavoError } from "./errors.ts";
import { nearest } from "./nearest.ts";

/** Who moves the virtual clock: the test alone, or also the simulator while the code under test waits. */
export type ClockOption = "manual" | "auto" | { readonly auto: { readonly horizon?: DurationLike } };

/** How a simulator is made. Every field has a fixed default, so that the same code gives the same run. */
export interface SimulatorOptions {
  /** The base URL that the merchant's code calls, `https://api.pay.example` by default; it may carry a path. */
  readonly baseUrl?: string;
  /** The token service's base URL; `baseUrl` by default. */
  readonly authUrl?: string;
  /** Decides every id, secret and chance; `1` by default. */
  readonly seed?: number | string;
  /** Where virtual time starts; `2026-01-01T00:00:00Z` by default. */
  readonly now?: InstantLike;
  /**
   * `"manual"` (default): nothing moves unless the test says so. `"auto"`: what falls due within 10 s of the last request runs by itself;
   * `{ auto: { horizon: "1 minute" } }` looks further.
   */
  readonly clock?: ClockOption;
  /** The first merchant's receiver of events about resources without a `webhookUrl` of their own. */
  readonly webhookUrl?: string;
  /** Other answers to what the service document leaves open, by assumption id. */
  readonly assumptions?: AssumptionOverrides;
  /** How long a connected app may truly take to answer, in milliseconds of real time; 2000 by default. */
  readonly receiverTimeout?: number;
}

/** Options after their defaults: what the parts are built from. */
export interface Settings {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly seed: string;
  readonly now: number;
  /** How far the auto driver looks ahead, in milliseconds; undefined for a manual clock. */
  readonly horizon: number | undefined;
  readonly webhookUrl: string | undefined;
  readonly assumptions: AssumptionOverrides;
  readonly receiverTimeout: number;
}

const DEFAULT_HORIZON = "10 seconds";
const OPTION_NAMES = ["baseUrl", "authUrl", "seed", "now", "clock", "webhookUrl", "assumptions", "receiverTimeout"];

const httpUrl = z.url({ protocol: /^https?$/ }).refine((url) => !/[?#]/.test(url), "must not carry a query or fragment");

/**
 * Fills in the defaults and refuses what makes no sense.
 * @throws {CentavoError} `INVALID_OPTION` or `INVALID_ASSUMPTION`, naming the option, its value and what it takes
 */
export function toSettings(options: SimulatorOptions): Settings {
  for (const name of Object.keys(options)) {
    if (!OPTION_NAMES.includes(name)) throw new CentavoError("INVALID_OPTION", `createSimulator has no option "${name}". The nearest is "${nearest(name, OPTION_NAMES)}".`);
  }
  const baseUrl = checked("baseUrl", httpUrl, options.baseUrl ?? "https://api.pay.example");
  const assumptions = options.assumptions ?? {};
  // Only checks; the simulator makes its own, which remembers what was used.
  void new Assumptions(assumptions);
  return {
    baseUrl: withoutTrailingSlash(baseUrl),
    authUrl: withoutTrailingSlash(checked("authUrl", httpUrl, options.authUrl ?? baseUrl)),
    seed: String(checked("seed", z.union([z.number(), z.string()]), options.seed ?? 1)),
    now: parseInstant(options.now ?? "2026-01-01T00:00:00Z"),
    horizon: horizonOf(options.clock ?? "manual"),
    webhookUrl: options.webhookUrl === undefined ? undefined : checked("webhookUrl", z.url({ protocol: /^https?$/ }), options.webhookUrl),
    assumptions,
    receiverTimeout: checked("receiverTimeout", z.int().min(1), options.receiverTimeout ?? 2000),
  };
}

function horizonOf(clock: ClockOption): number | undefined {
  if (clock === "manual") return undefined;
  if (clock === "auto") return durationMilliseconds(DEFAULT_HORIZON);
  if (typeof clock === "object" && clock !== null && "auto" in clock) return durationMilliseconds(clock.auto.horizon ?? DEFAULT_HORIZON);
  throw new CentavoError("INVALID_OPTION", `The option clock is ${JSON.stringify(clock)}; it takes "manual", "auto" or { auto: { horizon: "10 seconds" } }.`);
}

function checked<Schema extends z.ZodType>(name: string, schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new CentavoError("INVALID_OPTION", `The option ${name} is ${JSON.stringify(value)}: ${parsed.error.issues.map(({ message }) => message).join("; ")}.`);
}

function withoutTrailingSlash(url: string): string {
  const { href } = new URL(url);
  return href.endsWith("/") ? href.slice(0, -1) : href;
}
