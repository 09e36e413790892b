import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { unknownName } from "../kit/base/errors/known-names.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import { durationMilliseconds } from "../kit/engine/duration.ts";
import { outsideWork } from "../kit/base/runtime/outside-work.ts";
import { isDateFaked } from "../kit/base/runtime/fakes.ts";
import type { Evidence } from "./evidence.ts";
import { laws } from "./laws/laws.ts";
import type { Law, LawSetting } from "./laws/law.ts";
import { actNames } from "./options.ts";
import type { ExamOptions, Shard } from "./options.ts";
import type { Running } from "../merchant/process/merchant-process.ts";
import { Storage } from "../merchant/process/storage.ts";
import { merchantWork } from "../merchant/process/merchant-work.ts";
import { SHOP } from "./playing/programs.ts";
import type { StoryRun } from "./playing/story-run.ts";
import { RealWaits } from "./real-waits.ts";
import { storyOf } from "./token.ts";
import type { NamedStory } from "./token.ts";

/** When a search ends: whichever comes first. */
export interface ReadBudget {
  readonly stories: number;
  /** Whether the first round is played to its end, even if it takes more stories. */
  readonly takesFirstRound: boolean;
  /** Real time. */
  readonly milliseconds: number;
  readonly failures: number;
}

/** The current run of the merchant's program, and its story so far in sentences. */
export interface RunningStory extends Running {
  told?: readonly string[];
  /** How many of each item one fulfilment takes from the stock, once that is known. */
  unitsOfStock?: Evidence["unitsOfStock"];
  story?: StoryRun;
}

/** The checked options with their defaults. */
export interface ReadOptions extends Omit<
  ExamOptions<unknown>,
  "seed" | "plans" | "replay" | "budget" | "laws" | "shard" | "store" | "storeDelay" | "longestWait"
> {
  readonly seed: number | string;
  readonly plans: readonly [string, string];
  readonly budget: ReadBudget;
  /** The laws that count. The merchant's own come last. */
  readonly laws: readonly Law[];
  /** The laws that only warn. */
  readonly warnings: ReadonlySet<string>;
  /** The laws that are switched off. */
  readonly off: readonly string[];
  readonly replay: NamedStory | undefined;
  readonly shard: Shard;
  readonly storage: Storage;
  /** In milliseconds of virtual time. */
  readonly storeDelay: number;
  readonly waits: RealWaits;
  /** How much work outside its thread the process had when the exam began. */
  readonly outsideBefore: number;
  /** How long the merchant's code may run without yielding, in milliseconds of real time. */
  readonly longestLoop: number;
  readonly running: RunningStory;
  /** Whether the exam makes `Date` follow the merchant's time. It does, unless something else already fakes `Date`. */
  readonly fakesDate: boolean;
}

const OPTIONS = [
  "open",
  "acts",
  "books",
  "jobs",
  "policy",
  "laws",
  "seed",
  "budget",
  "store",
  "storeDelay",
  "plans",
  "webhookPath",
  "intercept",
  "assumptions",
  "replay",
  "shard",
  "longestWait",
];
const STATUSES = ["incomplete", "past_due", "unpaid", "cancelled", "incomplete_cancelled"];
const UNTIL_PERIOD_END = "until period end";
/** In seconds of real time. */
const DEFAULT_WAIT = 60;
/** No work of a shop takes so long without yielding, in milliseconds of real time, and work of a shop may take less on any machine. */
const [LONGEST_LOOP, SHORTEST_LOOP] = [10_000, 1000];
/** How many stories a search plays, unless its first round takes more. */
const DEFAULT_STORIES = 300;

/**
 * Checks the options of `exam`, and fills in the defaults.
 * @throws {CentavoError} `INVALID_OPTION` naming the option, its value and what it takes
 */
export function readOptions<Store>(given: ExamOptions<Store>): ReadOptions {
  refuseUnknownOptions("exam", given, OPTIONS);
  const { open, acts, books, jobs = [], policy = {}, seed = 1, plans = ["basic", "plus"], webhookPath } = given;
  demand("open", open, typeof open === "function", "a function that starts the merchant's program and returns its app");
  demand(
    "books",
    books,
    typeof books === "function",
    "a function that returns what the merchant believes: { orders, memberships, stock }",
  );
  refuseUnknownOptions("exam({ acts })", acts, actNames);
  for (const [name, act] of Object.entries(acts))
    demand(
      `acts.${name}`,
      act,
      act === undefined || typeof act === "function",
      'a function that calls the merchant\'s app, such as ({ visit, id }) => visit("POST", "/orders", { id })',
    );
  demand(
    "acts",
    acts,
    Object.values(acts).some((act) => act !== undefined),
    "at least one act, such as { order }",
  );
  readJobs(jobs);
  refuseUnknownOptions("exam({ policy })", policy, ["access"]);
  if (policy.access !== undefined) readAccess(policy.access);
  demand("seed", seed, typeof seed === "string" || Number.isFinite(seed), "a number or a string");
  demand(
    "plans",
    plans,
    Array.isArray(plans) && plans.length === 2 && plans.every((plan) => typeof plan === "string"),
    'the names of two plans, such as ["basic", "plus"]',
  );
  demand(
    "webhookPath",
    webhookPath,
    webhookPath === undefined || isPath(webhookPath),
    'the path of the merchant\'s app to which events go, such as "/hooks"',
  );
  const { longestWait = DEFAULT_WAIT } = given;
  demand("longestWait", longestWait, typeof longestWait === "number" && longestWait > 0, "a number of seconds above 0");
  const waits = new RealWaits(longestWait * 1000);
  const judged = readLaws(given.laws ?? {});
  return {
    ...(given as unknown as ExamOptions<unknown>),
    ...judged,
    jobs,
    policy,
    seed,
    plans,
    budget: readBudget(given.budget ?? {}),
    running: {},
    storage: new Storage("exam", given.store, (name, work) => {
      const what = `the call ${name}`;
      merchantWork.leavesFor(what);
      return waits.within(what, work);
    }),
    storeDelay: readDelay(given.storeDelay ?? 0),
    waits,
    outsideBefore: outsideWork(),
    longestLoop: Math.max(SHORTEST_LOOP, Math.min(longestWait * 1000, LONGEST_LOOP)),
    shard: readShard(given.shard ?? { index: 1, of: 1 }),
    replay: given.replay === undefined ? undefined : storyOf(given.replay),
    fakesDate: !isDateFaked(),
  };
}

function readDelay(given: unknown): number {
  const isRight = typeof given === "number" ? Number.isFinite(given) && given >= 0 : isDuration(given);
  demand("storeDelay", given, isRight, 'a duration such as "20 milliseconds", or a number of milliseconds');
  return typeof given === "number" ? given : durationMilliseconds(given as string);
}

function isDuration(value: unknown): boolean {
  try {
    durationMilliseconds(value as string);
    return true;
  } catch {
    return false;
  }
}

/** Whether a value is a path of the shop. A path that begins with two slashes leads to another host. */
function isPath(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("/") && URL.parse(value, SHOP)?.origin === SHOP;
}

function readAccess(given: unknown): void {
  refuseUnknownOptions("exam({ policy: { access } })", given, STATUSES);
  for (const [status, access] of Object.entries(given as object)) {
    const isWord = status === "cancelled" && access === UNTIL_PERIOD_END;
    demand(
      `policy.access.${status}`,
      access,
      access === undefined || typeof access === "boolean" || isWord,
      status === "cancelled" ? `true, false or "${UNTIL_PERIOD_END}"` : "true or false",
    );
  }
}

function readJobs(jobs: unknown): void {
  demand("jobs", jobs, Array.isArray(jobs), 'a list such as [{ every: "10 minutes", run }]');
  for (const [index, job] of (jobs as readonly unknown[]).entries()) {
    refuseUnknownOptions(`exam({ jobs: [${index}] })`, job, ["every", "run"]);
    const { every, run } = job as { readonly every?: unknown; readonly run?: unknown };
    demand(`jobs[${index}].run`, run, typeof run === "function", "a function that does the job");
    demand(`jobs[${index}].every`, every, isDuration(every), 'a duration such as "10 minutes"');
  }
}

function readLaws(given: Readonly<Record<string, LawSetting | Law>>): Pick<ReadOptions, "laws" | "warnings" | "off"> {
  const known = laws.map(({ name }) => name);
  const own: Law[] = [];
  const warnings = new Set<string>();
  const off: string[] = [];
  for (const [name, setting] of Object.entries(given)) {
    if (typeof setting === "object" && setting !== null && typeof setting.breaches === "function") {
      demand(
        `laws["${name}"].reached`,
        setting.reached,
        setting.reached === undefined || typeof setting.reached === "function",
        "a function that returns whether a story had anything that the law judges",
      );
      own.push({ ...setting, name });
      continue;
    }
    const complaint = unknownName("the law", name, known);
    if (complaint !== undefined) throw new CentavoError("INVALID_OPTION", `exam({ laws }): ${complaint}.`);
    demand(
      `laws["${name}"]`,
      setting,
      setting === "off" || setting === "warn",
      '"off", "warn", or a law of your own: { sentence, remedy, holds, breaches }',
    );
    if (setting === "off") off.push(name);
    else warnings.add(name);
  }
  return { laws: [...laws.filter(({ name }) => !off.includes(name)), ...own], warnings, off };
}

function readBudget(given: unknown): ReadBudget {
  refuseUnknownOptions("exam({ budget })", given, ["seconds", "stories", "failures"]);
  const { seconds, stories, failures = Infinity } = given as { seconds?: number; stories?: number; failures?: number };
  const isWhole = (value: unknown): boolean =>
    value === undefined || value === Infinity || (Number.isSafeInteger(value) && (value as number) > 0);
  demand("budget.stories", stories, isWhole(stories), "a whole number of at least 1");
  demand("budget.failures", failures, isWhole(failures), "a whole number of at least 1");
  demand(
    "budget.seconds",
    seconds,
    seconds === undefined || (typeof seconds === "number" && seconds > 0),
    "a number of seconds above 0",
  );
  const isDefault = stories === undefined && seconds === undefined;
  return {
    stories: stories ?? (isDefault ? DEFAULT_STORIES : Infinity),
    takesFirstRound: isDefault,
    milliseconds: (seconds ?? Infinity) * 1000,
    failures,
  };
}

function readShard(given: unknown): Shard {
  refuseUnknownOptions("exam({ shard })", given, ["index", "of"]);
  const { index, of } = given as Shard;
  const isRight = Number.isSafeInteger(index) && Number.isSafeInteger(of) && index >= 1 && index <= of;
  demand("shard", given, isRight, "which shard, from 1, of how many: { index: 3, of: 20 }");
  return { index, of };
}

function demand(name: string, value: unknown, isRight: boolean, takes: string): void {
  if (isRight) return;
  const written = typeof value === "function" ? "a function" : inWords(value);
  throw new CentavoError("INVALID_OPTION", `exam: the option ${name} is ${written}. It takes ${takes}.`);
}
