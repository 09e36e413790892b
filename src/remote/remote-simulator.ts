import type { Fixtures } from "../fixtures/fixtures.ts";
import type { AddedFault } from "../kit/faults/handles.ts";
import type { Clock } from "../kit/engine/clock.ts";
import type { DurationLike, InstantLike } from "../kit/engine/duration.ts";
import type { Explanation } from "../report/causes/cause-report.ts";
import type { EventType, EventView, Fault } from "../simulator/payment-service.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { OnlyInProcess, onlyInProcess, Unavailable } from "./only-in-process.ts";
import type { ControlMember } from "./operations.ts";

/** The members of a part of a simulator that the control API has: functions that return promises, and properties that are promises. */
type Remote<Part, Name extends string = ControlMember> = {
  readonly [Member in keyof Part as Member extends Name | Grouped<Name> ? Member : never]: Member extends Name
    ? Promised<Part[Member]>
    : Member extends string
      ? Remote<Part[Member], Within<Name, Member>>
      : never;
};

/** The first words of names such as `clock.now`. */
type Grouped<Name> = Name extends `${infer Group}.${string}` ? Group : never;
/** The names in a group, without its own. */
type Within<Name, Group extends string> = Name extends `${Group}.${infer Rest}` ? Rest : never;

type Promised<Member> = Member extends (...given: never) => Promise<unknown>
  ? Member
  : Member extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Result>
    : Promise<Member>;

type RemoteMembers = Remote<Simulator>;
type RemoteClockMembers = Remote<Clock, Within<ControlMember, "clock">>;

/** The virtual clock of a remote simulator. */
export interface RemoteClock extends Omit<RemoteClockMembers, "advance" | "advanceTo" | "advanceUntil"> {
  /**
   * Lets time pass.
   * @param duration `"3 days"`, `"P1M"`, `{ months: 1 }` or a Temporal duration
   * @returns a promise that rejects as that of `sim.clock.advance` does
   */
  advance(duration: DurationLike): Promise<void>;
  /**
   * Lets time pass up to and including a moment.
   * @returns a promise that rejects as that of `sim.clock.advanceTo` does
   */
  advanceTo(instant: InstantLike): Promise<void>;
  /**
   * Lets time pass, timer by timer, until the condition is true. Each timer is a call to the server.
   * @param condition called before the first timer, after every timer, and once more at the limit; it may return a promise
   * @param options.limit the longest time to let pass; `"1 year"` by default
   * @returns a promise that rejects with {CentavoError} `CLOCK_LIMIT` when the condition is not true by then, and with what `advance` rejects
   *
   * @example
   * await sim.clock.advanceUntil(async () => (await sim.subscriptions.get(id))?.status === "past_due");
   */
  advanceUntil(condition: () => boolean | Promise<boolean>, options?: { readonly limit?: DurationLike }): Promise<void>;
  readonly timeout: Missing["clock.timeout"];
  readonly onMove: Missing["clock.onMove"];
}

/** A handle on a fault that a client added. */
export interface RemoteFault extends Remote<Omit<AddedFault, "id" | "hits">, "struck" | "remove"> {
  /** Its name in the journal. */
  readonly id: string;
  /** How often it has fired in the current world; for a removed fault, how often it had fired until then. */
  readonly hits: Promise<number>;
}

/** The faults of a remote simulator. */
export interface RemoteFaults extends Omit<RemoteMembers["faults"], "add"> {
  /**
   * Plans a fault from now on.
   * @returns a promise that rejects with {CentavoError} `INVALID_FAULT` for a fault that could never fire, naming the nearest right name
   */
  add(fault: Fault): Promise<RemoteFault>;
}

/** The webhooks of a remote simulator. */
export interface RemoteWebhooks extends Omit<RemoteMembers["webhooks"], "events"> {
  /** Returns events, oldest first. A type may be a pattern such as `payment_intent.*`. */
  events<Type extends EventType>(filter: {
    readonly type: Type;
  }): Promise<Extract<EventView, { readonly type: Type }>[]>;
  events(filter?: Parameters<Simulator["webhooks"]["events"]>[0]): Promise<EventView[]>;
}

/** Says of each member that only a process can have why it is missing. */
type Missing = { readonly [Member in OnlyInProcess]: Unavailable<(typeof onlyInProcess)[Member]> };

/**
 * A simulator in another process. It has the members of a `Simulator`: each function returns a promise, and each property is one.
 *
 * @example
 * const sim = connectSimulator("http://127.0.0.1:4010", { token });
 * await sim.customer.pay(checkoutUrl, "pm_card_approved");
 * await sim.clock.settle();
 * console.log(await sim.journal.toString());
 */
export interface RemoteSimulator
  extends
    Omit<RemoteMembers, "clock" | "faults" | "webhooks" | "fork" | "report">,
    Pick<Missing, "connect" | "visit" | "fetch">,
    AsyncDisposable {
  readonly clock: RemoteClock;
  readonly faults: RemoteFaults;
  readonly webhooks: RemoteWebhooks;
  /** The functions of `fixtures(sim)`, for resources in any status: `await sim.make.subscription({ status: "past_due" })`. */
  readonly make: Remote<Fixtures, Within<ControlMember, "make">>;
  /**
   * Opens a named world on the server, with a copy of this one.
   * @param options.name its name in its address; by default such as `checkout.fork-1`, after the name of this world
   * @param options.connect true to share the connections that this world has in the server's process
   */
  fork(options?: { readonly name?: string; readonly connect?: boolean }): Promise<RemoteSimulator>;
  /** Returns the report of the run so far: one HTML document. */
  report(): Promise<string>;
  /**
   * Explains a failed test: the likely causes, best first, and a text with the end of the timeline.
   * @param error what the test threw
   */
  causes(error?: { readonly message: string }): Promise<Explanation & { readonly text: string }>;
  /** Ends a named world. The default world of a server ends with it, and rejects with `INVALID_STATE`. */
  close(): Promise<void>;
}
