import { shownAddress } from "../../kit/base/redaction/address.ts";
import type { StoredEntry } from "../../kit/engine/journal-entries.ts";
import type { TestCalls } from "../../kit/engine/test-calls.ts";
import type { Timer } from "../../kit/engine/timer.ts";
import { fakedTimers, isDateFaked } from "../../kit/base/runtime/fakes.ts";
import { wallClock } from "../../kit/base/runtime/real-time.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { WebhookEvent } from "../../kit/webhooks/event.ts";
import { attemptInQuestion, statesIn } from "./attempts.ts";
import type { Attempt } from "./attempts.ts";
import { readThrown } from "./thrown.ts";
import type { Thrown } from "./thrown.ts";
import { quoted, textOf } from "./wording.ts";

type EntryOf<Kind extends StoredEntry["kind"]> = Extract<StoredEntry, { readonly kind: Kind }>;

/** A delivery that the merchant did not accept, and what is known about the answer. */
export interface MissedDelivery {
  readonly entry: EntryOf<"delivery">;
  readonly origin: string;
  /** The beginning of the answer's body, or why there was no answer. */
  readonly said: string;
}

/** A call to the service, and its answer. */
export interface Exchanged {
  readonly at: number;
  readonly sequence: number;
  readonly request: EntryOf<"request">["details"];
  readonly answer: EntryOf<"answer">["details"];
  /** The message of a refusal; undefined when the call was not refused. */
  readonly problem: string | undefined;
}

/** What is known about a failed test, gathered once. Each part takes time in proportion to the length of the journal. */
export interface Clues {
  readonly entries: readonly StoredEntry[];
  /** The entries of one kind, oldest first. */
  readonly of: <Kind extends StoredEntry["kind"]>(kind: Kind) => readonly EntryOf<Kind>[];
  /** The last delivery of each event that is not delivered yet, except deliveries that a fault struck. */
  readonly missed: readonly MissedDelivery[];
  readonly exchanges: readonly Exchanged[];
  /** What the test threw; undefined when unknown. */
  readonly thrown: Thrown | undefined;
  /** The attempt to pay that the failed assertion is about. */
  readonly attempt: Attempt | undefined;
  /** The latest state of each resource, by id. */
  readonly states: ReadonlyMap<string, unknown>;
  /** Everything that the test threw, and that the merchant's apps answered or threw, as one text. */
  readonly said: string;
  /** The 5xx statuses with which the merchant's pages answered the test, and when. */
  readonly failedPages: readonly { readonly sequence: number; readonly status: number }[];
  /** Virtual time, and the time of the process's `Date`, in milliseconds since 1970. */
  readonly now: number;
  readonly processNow: number;
  readonly isDateFaked: boolean;
  readonly fakedTimers: readonly string[];
  readonly isClockManual: boolean;
  readonly stampsAreVirtual: boolean;
  /** What is on the clock, soonest first. */
  readonly timers: readonly Timer[];
  /** The sleeps and timers of the process that wait for the clock, soonest first. */
  readonly sleeps: Simulator["clock"]["waits"]["sleeps"];
  /** The calls that are never answered. */
  readonly hangingCalls: readonly string[];
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly origins: readonly string[];
  /** The origins of apps that parsed the body of a webhook and then refused it. */
  readonly parsingOrigins: readonly string[];
  readonly firstMerchant: string;
  /** Says whose id, session token or `externalId` a text is; undefined when it is none. */
  readonly whoHas: (text: string) => string | undefined;
  readonly eventOf: (id: string) => WebhookEvent | undefined;
  readonly unusedFaults: ReturnType<Simulator["faults"]["unused"]>;
  /** Why `verifyWebhook` refused webhooks; empty after hostile deliveries, which must be refused. */
  readonly refusedWebhooks: readonly string[];
  /** Whether interception was ever started for the simulator. */
  readonly wasIntercepted: boolean;
  /** The calls of the test that had not ended when it failed, and the first one that the clock moved past. */
  readonly testCalls: Pick<TestCalls, "open" | "overtaken" | "unfound">;
  /** What only the test session knows. */
  readonly session: SessionClues;
}

/** What a test session knows besides its simulator. */
export interface SessionClues {
  /** What a client needs to reach the simulator without interception, such as `network.fetch`. */
  readonly reachedBy?: string | undefined;
  /** Where the test runs, if it does not intercept because it cannot there, rather than by choice. */
  readonly cannotInterceptIn?: "browser" | "commonjs" | undefined;
  /** Which timers were faked while the test ran. Its runner may have restored them since. */
  readonly fakedTimers?: readonly string[];
  /** The long timers that were set in real time, and that the virtual clock has passed by. */
  readonly realTimers?: readonly {
    readonly delay: number;
    readonly repeats: boolean;
    readonly setAt: string | undefined;
  }[];
  /** The message that says which call replaced the `Date` that follows the clock. */
  readonly dateIsReplaced?: string | undefined;
  /** What the app under test logged. */
  readonly log?: string;
  /** Why `verifyWebhook` refused webhooks during the test. */
  readonly refusedWebhooks?: readonly string[];
  /** What no code caught while the test ran. */
  readonly uncaught?: readonly string[];
  /** The timers that apps set for longer than the clock waits, and that had not rung. */
  readonly timersOfApps?: readonly { readonly delay: number; readonly setAt: string | undefined }[];
}

/** How much of an answer or of an app's log is searched for words, in characters. */
const LONGEST_ANSWER = 2000;
const LONGEST_LOG = 20_000;

/** Gathers all clues. It only reads the simulator. */
export function gatherClues(sim: Simulator, error: unknown, session: SessionClues = {}): Clues {
  const { parts, connections, settings } = sim.internals;
  const { engine, dispatcher, outbox, faults } = parts;
  const { entries } = engine.journal;
  const byKind = Map.groupBy(entries, ({ kind }) => kind);
  const of = <Kind extends StoredEntry["kind"]>(kind: Kind) => (byKind.get(kind) ?? []) as EntryOf<Kind>[];
  const missed = missedDeliveries(of("delivery"));
  const thrown = error === undefined ? undefined : readThrown(error);
  const events = new Map(outbox.events().map((event) => [event.id, event]));
  return {
    entries,
    of,
    missed,
    exchanges: exchangesIn(entries),
    thrown,
    attempt: attemptInQuestion(entries, thrown),
    states: statesIn(entries),
    said: [
      thrown?.text ?? "",
      session.log?.slice(-LONGEST_LOG) ?? "",
      ...missed.map(({ said }) => said),
      ...of("visit").map(({ volatile }) => volatile?.failure?.slice(0, LONGEST_ANSWER) ?? ""),
    ].join("\n"),
    failedPages: of("visit")
      .map(({ sequence, volatile }) => ({ sequence, status: volatile?.status ?? 0 }))
      .filter(({ status }) => status >= 500),
    now: engine.now,
    processNow: wallClock(),
    isDateFaked: isDateFaked(),
    fakedTimers: [...new Set([...(session.fakedTimers ?? []), ...fakedTimers()])],
    isClockManual: settings.horizon === undefined && settings.factor === undefined,
    stampsAreVirtual: settings.assumptions["webhook.stamp"] === "virtual",
    timers: engine.timers.pending(),
    sleeps: sim.clock.waits.sleeps,
    hangingCalls: dispatcher.hangingCalls,
    baseUrl: settings.baseUrl,
    authUrl: settings.authUrl,
    origins: connections.origins,
    parsingOrigins: connections.parsingOrigins,
    firstMerchant: sim.credentials.merchantId,
    whoHas: namesIn(sim),
    eventOf: (id) => events.get(id),
    unusedFaults: faults.unused() as ReturnType<Simulator["faults"]["unused"]>,
    refusedWebhooks: of("hostile").length > 0 ? [] : (session.refusedWebhooks ?? []),
    wasIntercepted: sim.wasIntercepted,
    testCalls: engine.testCalls,
    session,
  };
}

/** Returns a look-up of ids. It reads the simulator once, when it is first asked. */
function namesIn(sim: Simulator): Clues["whoHas"] {
  let names: Map<string, string> | undefined;
  return (text) => (names ??= gatherNames(sim)).get(text);
}

function gatherNames(sim: Simulator): Map<string, string> {
  const names = new Map<string, string>();
  const add = (
    kind: string,
    { id, externalId }: { readonly id: string; readonly externalId?: string | undefined },
  ): void => {
    names.set(id, `${id} is the id of a ${kind}`);
    if (externalId !== undefined) names.set(externalId, `${externalId} is your externalId of the ${kind} ${id}`);
  };
  for (const view of sim.intents.list()) add("payment intent", view);
  for (const view of sim.subscriptions.list()) add("subscription", view);
  for (const view of sim.checkouts.list()) {
    add("checkout session", view);
    // As the journal shows it.
    const shown = `${view.sessionToken.slice(0, 8)}…`;
    for (const text of [view.sessionToken, shown]) names.set(text, `${shown} is the session token of ${view.id}`);
  }
  return names;
}

function missedDeliveries(deliveries: readonly EntryOf<"delivery">[]): MissedDelivery[] {
  const last = new Map<string, EntryOf<"delivery">>();
  for (const entry of deliveries) last.set(entry.details.event, entry);
  return [...last.values()]
    .filter(({ details }) => details.outcome !== "delivered" && details.faults === undefined)
    .map((entry) => ({ entry, origin: originOf(entry.details.url), said: saidIn(entry.volatile?.answer) }));
}

/** The beginning of an answer's body, or why there was no answer. */
export function saidIn(answer: unknown): string {
  if (typeof answer !== "object" || answer === null) return "";
  const { bodyExcerpt, message } = answer as { readonly bodyExcerpt?: unknown; readonly message?: unknown };
  const said = bodyExcerpt ?? message;
  if (typeof said !== "string") return "";
  const text = said.slice(0, LONGEST_ANSWER).trim();
  // The lines after the first are the stack, as on the page that Express makes of an error.
  return text.startsWith("<") ? (textOf(text).split("\n")[0] ?? "") : text;
}

export function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url;
}

/** A call and its answer are adjacent, unless the call was held; then other entries may come between. */
function exchangesIn(entries: readonly StoredEntry[]): Exchanged[] {
  const exchanges: Exchanged[] = [];
  let open: EntryOf<"request"> | undefined;
  for (const entry of entries) {
    if (entry.kind === "request") open = entry;
    if (entry.kind !== "answer" || open === undefined) continue;
    exchanges.push({
      at: entry.at,
      sequence: open.sequence,
      request: open.details,
      answer: entry.details,
      problem: entry.volatile?.problem,
    });
    open = undefined;
  }
  return exchanges;
}

/** Describes the last page of the app that the test or a returning customer opened, if it answered with 5xx: `GET https://shop.example/ with 500`. */
export function failedVisit({ of }: Clues): string | undefined {
  const { volatile: visited, sequence = -1 } = of("visit").at(-1) ?? {};
  const back = of("customer").findLast(({ details }) => details.act === "come back");
  const {
    method = "",
    url = "",
    status = 0,
  } = back === undefined || back.sequence < sequence
    ? (visited ?? {})
    : { method: "GET", url: back.details.to, status: back.details.status };
  return status >= 500 ? `${quoted(`${method} ${shownAddress(url)}`)} with ${status}` : undefined;
}

/** Whether a later call with a credential was answered, such as after a client logged in again. */
export function wasOvercome(exchanges: readonly Exchanged[], { sequence }: Exchanged): boolean {
  return exchanges.some(
    ({ sequence: later, request, answer }) => later > sequence && request.caller !== undefined && answer.status < 400,
  );
}

/** Whether the same call succeeded later, such as when it was retried with another body. */
export function wasRepeated(exchanges: readonly Exchanged[], { sequence, request }: Exchanged): boolean {
  return exchanges.some(
    (later) =>
      later.sequence > sequence &&
      later.request.method === request.method &&
      later.request.path === request.path &&
      later.answer.status < 400,
  );
}

/** Whether a text says one of these, a number as a word of its own. */
export function saysAny(text: string, words: readonly (number | string)[]): boolean {
  return words.some((word) =>
    typeof word === "string" ? text.includes(word) : text.split(/\D+/).includes(String(word)),
  );
}
