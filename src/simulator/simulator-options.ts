import { OriginalDate } from "../kit/base/runtime/dates.ts";
import * as z from "zod/mini";
import { inFile, readAssumptionsFile } from "../kit/assumptions/file.ts";
import { durationMilliseconds, parseInstant } from "../kit/engine/duration.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import type { DurationLike, InstantLike } from "../kit/engine/duration.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { behindColon, ownComplaints } from "../kit/base/errors/english.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { shownAddress } from "../kit/base/redaction/address.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import { hasNoUserInfo } from "../kit/http/addresses.ts";

/** Who moves the virtual clock: only the test, or also the simulator while the code under test waits, or also real time. */
export type ClockOption =
  | "manual"
  | "auto"
  | { readonly auto: { readonly horizon?: DurationLike } }
  | "real"
  | { readonly real: number };

/** The options of a simulator of a service with these assumptions. */
export interface OptionsOf<AssumptionOverrides, Credentials = unknown> {
  /** The base URL that the merchant's code calls, with or without a path; `https://api.pay.example` by default. */
  readonly baseUrl?: string;
  /** The token service's base URL; `baseUrl` by default. */
  readonly authUrl?: string;
  /** The seed of every id, secret and random choice; `1` by default. */
  readonly seed?: number | string;
  /** The instant at which virtual time starts; `2026-01-01T00:00:00Z` by default. */
  readonly now?: InstantLike;
  /**
   * `"manual"`, the default: only the test moves the clock. `"auto"`: the simulator also runs timers that fall due within 10 seconds of the
   * last request, and the next request waits until they have run. `{ auto: { horizon: "1 minute" } }` changes the 10 seconds.
   * `"real"`: virtual time follows real time from its start. `{ real: 60 }` lets a minute pass in each second.
   */
  readonly clock?: ClockOption;
  /**
   * Whether the process's timers follow the virtual clock, and with them `Date`; false by default. Then a shop's own scheduler runs under
   * time travel, each run at its own moment: `setTimeout`, `setInterval`, and what stands on them, such as node-cron and croner. It takes
   * Node, and `createSimulator` takes an import of `centavo/node` before.
   */
  readonly timers?: boolean;
  /** The first merchant's webhook receiver, for resources without their own `webhookUrl`. */
  readonly webhookUrl?: string;
  /**
   * Ids and secrets of the first merchant, and the administrator's key, for a shop that reads them once and outlives a simulator. Those that
   * are not given come from the seed.
   */
  readonly credentials?: Credentials;
  /**
   * Values of assumptions, by id, where the service document leaves a question open. Assumptions that are fixed take no value;
   * docs/reference/assumptions.md lists which. Or the path of a JSON file that holds them, for a team to share: relative to the folder of the
   * process, and only where there is a file system.
   */
  readonly assumptions?: AssumptionOverrides | string;
  /** How long a connected app may take to answer a webhook or a visit, in milliseconds of real time; 2000 by default. */
  readonly receiverTimeout?: number;
  /**
   * Bounds a long run, so that it fits in memory: how many of each to keep of the newest journal entries and recorded inputs, and of the
   * payments and webhook events that ended last. By default, all are kept. The bound is not exact: up to 4096 more entries stay, up to
   * twice as many inputs, and whatever is still needed, such as the latest invoice of a subscription.
   *
   * The API answers for a forgotten payment as if it had never existed; `sim.ledger()` still counts it, and the journal's digest covers
   * every entry. A recording starts from a later world and says in `shortened` how many inputs were dropped; inputs longer than 2048
   * characters on average are dropped sooner.
   */
  readonly keep?: number;
  /** Whether to keep every input from outside for `sim.recording()`; true by default. Bodies that were refused are not kept. */
  readonly recording?: boolean;
}

/** The checked options with their defaults. */
export interface Settings {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly seed: string;
  readonly now: number;
  /** How far the auto driver looks ahead, in milliseconds; undefined for any other clock. */
  readonly horizon: number | undefined;
  /** How much faster than real time a clock that runs is; undefined for any other. */
  readonly factor: number | undefined;
  readonly webhookUrl: string | undefined;
  readonly credentials: unknown;
  readonly assumptions: Readonly<Record<string, unknown>>;
  /** The call that they were given to, and the file that they were read from, for messages. */
  readonly assumptionsFrom: string;
  readonly receiverTimeout: number;
  /** `Infinity` when all is kept. */
  readonly keep: number;
  readonly recording: boolean;
}

const DEFAULT_NOW = OriginalDate.UTC(2026, 0, 1);
const DEFAULT_HORIZON = "10 seconds";
/** The options of `createSimulator`. */
const SIMULATOR_OPTIONS = [
  "baseUrl",
  "authUrl",
  "seed",
  "now",
  "clock",
  "timers",
  "webhookUrl",
  "credentials",
  "assumptions",
  "receiverTimeout",
  "keep",
  "recording",
];
/** The options that `withSimulator` and `simulated` take beside these. */
export const testOptions = [
  "network",
  "allow",
  "drop",
  "fakeDate",
  "keepTokens",
  "failOnSwallowedErrors",
  "recordings",
  "report",
] as const;
/** Options of earlier versions. */
const GONE = ["journal", "history"];
const CLOCKS = '"manual", "auto", { auto: { horizon: "10 seconds" } }, "real" or { real: 60 }';
/** More than thirty years in a second. */
const LARGEST_FACTOR = 1e9;

const webUrl = z.url({ protocol: /^https?$/ }).check(z.refine(hasNoUserInfo, "it contains a user name or password"));
const baseAddress = webUrl.check(z.refine((url) => !/[?#]/.test(url), "it contains a query or fragment"));
const numberOrText = z.union([z.number(), z.string()]);
const positive = z.int().check(z.minimum(1));

/**
 * Checks the options, except for the ids and values of assumptions, and fills in the defaults.
 * @param call the call that takes the options, for the messages
 * @throws {CentavoError} `INVALID_OPTION`, naming the option, its value and what it takes; `INVALID_ASSUMPTION` for a file that cannot be read
 */
export function toSettings(options: OptionsOf<object>, call = "createSimulator"): Settings {
  refuseUnknownSimulatorOptions(call, options);
  checked(call, "timers", z.boolean(), options.timers, "true or false");
  const { seed, now, clock = "manual", webhookUrl, credentials, assumptions = {}, receiverTimeout } = options;
  const baseUrl =
    addressOf(call, "baseUrl", options.baseUrl, 'the URL that the merchant calls, such as "https://api.pay.example"') ??
    "https://api.pay.example";
  return {
    baseUrl,
    authUrl:
      addressOf(call, "authUrl", options.authUrl, 'the token service\'s URL, such as "https://auth.pay.example"') ??
      baseUrl,
    seed: String(checked(call, "seed", numberOrText, seed, "a number or a string") ?? 1),
    now: now === undefined ? DEFAULT_NOW : momentOf(call, now),
    ...clockOf(call, clock),
    webhookUrl: checked(
      call,
      "webhookUrl",
      webUrl,
      webhookUrl,
      'the merchant\'s receiver, such as "https://shop.example/hooks"',
    ),
    credentials: typeof credentials === "object" ? { ...credentials } : credentials,
    assumptions: assumptionsOf(call, assumptions),
    assumptionsFrom: typeof assumptions === "string" ? inFile(call, assumptions) : call,
    receiverTimeout:
      checked(
        call,
        "receiverTimeout",
        positive,
        receiverTimeout,
        "a whole number of milliseconds of real time, at least 1",
      ) ?? 2000,
    keep:
      checked(call, "keep", positive, options.keep, "how many of each to keep, at least 1, such as 10_000") ?? Infinity,
    recording:
      checked(call, "recording", z.boolean(), options.recording, "true or false; keep: 1000 bounds what is recorded") ??
      true,
  };
}

/**
 * Refuses unknown options of a simulator, and those that `keep` has replaced.
 * @param own further options of the call
 * @throws {CentavoError} `INVALID_OPTION`
 */
export function refuseUnknownSimulatorOptions(call: string, options: unknown, own: readonly string[] = []): void {
  const gone = GONE.find((name) => Object.hasOwn(Object(options) as object, name));
  if (gone !== undefined)
    throw new CentavoError(
      "INVALID_OPTION",
      `${call}: the option ${gone} is gone: keep: 1000 bounds the journal, the recording and what has ended.`,
    );
  const ofTests = testOptions.find((name) => !own.includes(name) && Object.hasOwn(Object(options) as object, name));
  if (ofTests === undefined) return refuseUnknownOptions(call, options, [...own, ...SIMULATOR_OPTIONS]);
  const otherwise = ofTests === "keepTokens" ? ", and of sim.reset({ keepTokens: true })" : "";
  throw new CentavoError(
    "INVALID_OPTION",
    `${call} has no option "${ofTests}": it is an option of withSimulator and simulated${otherwise}.`,
  );
}

function assumptionsOf(call: string, option: unknown): Settings["assumptions"] {
  if (typeof option === "string") return readAssumptionsFile(call, option);
  if (typeof option === "object" && option !== null && !Array.isArray(option)) return { ...option };
  const takes = 'an object such as { "checkout.lifetime": "30 minutes" }, or the path of a JSON file that holds one';
  throw refused(call, "assumptions", option, takes);
}

function clockOf(call: string, clock: ClockOption): Pick<Settings, "horizon" | "factor"> {
  const still = { horizon: undefined, factor: undefined };
  if (clock === "manual") return still;
  if (clock === "auto") return { ...still, horizon: durationMilliseconds(DEFAULT_HORIZON) };
  if (clock === "real") return { ...still, factor: 1 };
  const { auto, real } = Object(clock) as { readonly auto?: unknown; readonly real?: unknown };
  if (typeof real === "number" && auto === undefined) {
    if (real > 0 && real <= LARGEST_FACTOR) return { ...still, factor: real };
    throw refused(call, "clock", clock, CLOCKS, `: a factor is above 0, and at most ${LARGEST_FACTOR}`);
  }
  if (typeof auto !== "object" || auto === null || real !== undefined) throw refused(call, "clock", clock, CLOCKS);
  const { horizon = DEFAULT_HORIZON } = auto as { readonly horizon?: DurationLike };
  try {
    return { ...still, horizon: durationMilliseconds(horizon) };
  } catch (error) {
    throw refused(call, "clock", clock, CLOCKS, behindColon(messageOf(error)));
  }
}

/** Checks an option that was given: the first check of a process takes as long as making a world, and most tests give no options. */
function checked<Schema extends z.ZodMiniType>(
  call: string,
  name: string,
  schema: Schema,
  value: unknown,
  takes: string,
): z.output<Schema> | undefined {
  if (value === undefined) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw refused(call, name, value, takes, ownComplaints(parsed.error));
}

function momentOf(call: string, now: InstantLike): number {
  try {
    return parseInstant(now);
  } catch {
    const takes = 'a moment: "2026-01-01T00:00:00Z" (with Z or an offset), a date, a Date or milliseconds since 1970';
    throw refused(call, "now", now, takes);
  }
}

/** @param because why not, behind a colon */
function refused(call: string, name: string, value: unknown, takes: string, because = ""): CentavoError {
  const shown = name.endsWith("Url") && typeof value === "string" ? shownAddress(value) : value;
  return new CentavoError(
    "INVALID_OPTION",
    `${call}: the option ${name} is ${inWords(shown)}${because}. It takes ${takes}.`,
  );
}

/** Returns a base URL without a trailing slash. */
function addressOf(call: string, name: string, address: unknown, takes: string): string | undefined {
  const url = checked(call, name, baseAddress, address, takes);
  if (url === undefined) return undefined;
  const { href } = new URL(url);
  return href.endsWith("/") ? href.slice(0, -1) : href;
}
