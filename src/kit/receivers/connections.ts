import { CentavoError } from "../base/errors/centavo-error.ts";
import { inWords } from "../base/errors/in-words.ts";
import { messageOf } from "../base/errors/thrown-values.ts";
import { refuseUnknownOptions } from "../base/errors/unknown-options.ts";
import { wallClock } from "../base/runtime/real-time.ts";
import { HostList } from "../base/runtime/host-list.ts";
import { AppWorks, type WaitUntil } from "./app-works.ts";
import type { FailedRequest, ReceiverAnswer } from "./receiver-answer.ts";
import type { MerchantApp } from "./merchant-app.ts";
import { nameOf } from "./exchange.ts";
import { MerchantElsewhere } from "./merchant-elsewhere.ts";
import { createReceiver, loopbackReceiver } from "./receiver.ts";
import type { Receiver } from "./receiver.ts";
import { repeatsAnEvent, SendingWorld } from "./sent-events.ts";
import { type Warn, WorkReport } from "./work-report.ts";

/** Replaces the apps while a recording is replayed. */
export interface RecordedAnswers {
  send(): Promise<ReceiverAnswer>;
  /** In milliseconds since 1970. */
  receiverTime(): number;
}

/** How an app is connected. */
export interface ConnectOptions {
  /**
   * Returns the promises of work that goes on after the app's answers: one, several, or none. It is called after each answer, and the clock
   * waits for them.
   */
  readonly waitUntil?: WaitUntil | undefined;
}

interface Connection {
  readonly app: MerchantApp;
  readonly options: ConnectOptions;
  readonly receiver: Receiver;
}

/** The merchants' apps by origin, which get webhooks and returning customers. */
export class Connections {
  readonly #receiverTimeout: number;
  readonly #connected = new Map<string, Connection>();
  readonly #closers = new Set<() => void | Promise<void>>();
  readonly #loopback: Receiver | undefined;
  readonly #works: AppWorks;
  /** How many requests are in flight to connected apps, timers of the process among them, and to other servers of this machine. */
  readonly #underWay = { toApps: 0, outside: 0 };
  #further: HostList | undefined;
  #elsewhere: MerchantElsewhere | undefined;
  #openWarnings: () => Warn = () => () => undefined;
  #keep: () => void = () => undefined;
  #recordedAnswers: RecordedAnswers | undefined;
  /** The world that is sending. A world that replaces another counts as new. */
  #sending = { world: 0, sender: new SendingWorld() };
  /** The last origin found, because most worlds send everything to one. */
  #latest = { url: "", origin: "" };

  /**
   * @param receiverTimeout how long an app may take, in milliseconds of real time
   * @param reachesLoopback also sends to servers of this machine that are not connected; a request to any other host then fails
   */
  constructor(receiverTimeout: number, reachesLoopback: boolean) {
    this.#receiverTimeout = receiverTimeout;
    this.#works = new AppWorks(receiverTimeout);
    this.#loopback = reachesLoopback ? loopbackReceiver({ receiverTimeout, further: () => this.#further }) : undefined;
  }

  /** Sends to these hosts too, besides this machine. */
  alsoReach(hosts: HostList): void {
    this.#further = hosts;
  }

  /**
   * Sends what is for connected apps to a merchant's program that runs at this origin, and calls none of the apps.
   * @returns the merchant, which knows the origins of the apps
   */
  moveTo(origin: string): MerchantElsewhere {
    this.#further = new HostList("merchant", [new URL(origin).host]);
    return (this.#elsewhere = new MerchantElsewhere(origin));
  }

  /** Returns the connections that a fork starts with: none, or the same apps and servers. */
  forFork(shared: boolean): Connections {
    const connections = new Connections(this.#receiverTimeout, shared && this.#loopback !== undefined);
    connections.#further = this.#further;
    if (shared) connections.#elsewhere = this.#elsewhere;
    if (shared) for (const [origin, { app, options }] of this.#connected) connections.connect(origin, app, options);
    return connections;
  }

  /** @throws {CentavoError} `INVALID_URL` when the address is not http(s), `INVALID_OPTION` when the app cannot be called */
  connect(address: string, app: MerchantApp, options: ConnectOptions = {}): void {
    const origin = originOf(address);
    checkOptions(options);
    const receiver = createReceiver(origin, app, { receiverTimeout: this.#receiverTimeout });
    if (this.#elsewhere !== undefined) {
      this.#elsewhere.replace(origin);
      return;
    }
    void this.#connected.get(origin)?.receiver.close();
    this.#connected.set(origin, { app, options, receiver });
  }

  /** Puts recorded answers in place of the apps, or the apps back. */
  answerFrom(recorded: RecordedAnswers | undefined): void {
    this.#recordedAnswers = recorded;
  }

  /** The time at the receivers, which is the time of the process, in milliseconds since 1970. */
  receiverTime(): number {
    return this.#recordedAnswers?.receiverTime() ?? wallClock();
  }

  /** Whether a request to this address would be sent, even if the connection would then be refused. */
  reaches(url: string): boolean {
    return this.#loopback !== undefined || this.isConnected(url);
  }

  isConnected(url: string): boolean {
    return this.#connected.has(this.#originOf(url));
  }

  /** @param onHeaders called with the headers of an app's answer */
  async send(sent: Request, onHeaders?: (headers: Headers) => void): Promise<ReceiverAnswer> {
    if (this.#recordedAnswers !== undefined) return this.#recordedAnswers.send();
    const request = this.#elsewhere?.moved(sent) ?? sent;
    try {
      this.#keep();
    } catch (error) {
      return { kind: "failed", reason: "unreachable", message: `${nameOf(request)} was not sent. ${messageOf(error)}` };
    }
    const origin = this.#originOf(request.url);
    const connection = this.#connected.get(origin);
    if (connection !== undefined) {
      const { receiver, options } = connection;
      const after = `its answer to ${nameOf(request)}`;
      const report = new WorkReport(`the app at ${origin}`, after, this.#openWarnings());
      return this.#counting("toApps", () =>
        this.#works.send(() => receiver.send(request, onHeaders), report, options.waitUntil),
      );
    }
    const loopback = this.#loopback;
    return loopback === undefined ? nobodyAt(origin) : this.#counting("outside", () => loopback.send(request));
  }

  /**
   * Lets a timer of the process call back, and waits for the work that it begins, as for that of an app.
   * @param timer names it in warnings, such as `a timer of 1000 ms`
   */
  callBack(timer: string, ring: () => void): Promise<void> {
    const report = new WorkReport("the process", `${timer} called back`, this.#openWarnings());
    return this.#counting("toApps", () => this.#works.send(async () => ring(), report, undefined));
  }

  /**
   * Records that a world sends an event. Returns a warning if the receiver already got the same id from another world.
   * @param world the number of the world; a world that replaces another has a new one
   */
  warningOfRepeat(url: string, event: string, world: number): string | undefined {
    if (this.#recordedAnswers !== undefined || !this.reaches(url)) return undefined;
    if (world !== this.#sending.world) this.#sending = { world, sender: new SendingWorld() };
    const origin = this.#originOf(url);
    if (!repeatsAnEvent(this.#connected.get(origin)?.app ?? origin, event, this.#sending.sender)) return undefined;
    return `the app at ${origin} already got the event ${event} from an earlier world, so it may ignore this one as a repeat. Give each test ids of its own, as withSimulator and simulated do, or another seed; or connect a new app`;
  }

  /** The origins at which an app is connected. */
  get origins(): readonly string[] {
    return this.#elsewhere === undefined ? [...this.#connected.keys()] : [this.#elsewhere.origin];
  }

  /** The origins of apps that parsed a body without keeping its bytes, and then refused the request. */
  get parsingOrigins(): readonly string[] {
    return [...this.#connected].filter(([, { receiver }]) => receiver.parsesBodies).map(([origin]) => origin);
  }

  /** Sends a visitor's request, and returns the whole answer. Rejects with `VISIT_FAILED` if a fetch handler throws. */
  async visit(visit: Request): Promise<Response | FailedRequest> {
    const request = this.#elsewhere?.moved(visit) ?? visit;
    const origin = this.#originOf(request.url);
    const receiver = this.#connected.get(origin)?.receiver ?? this.#loopback;
    return receiver === undefined ? nobodyAt(origin) : receiver.visit(request);
  }

  /**
   * Calls back when the connections end.
   * @returns a function that removes the callback
   */
  onClose(callback: () => void | Promise<void>): () => void {
    this.#closers.add(callback);
    return () => this.#closers.delete(callback);
  }

  async #counting<Answer>(where: "toApps" | "outside", send: () => Promise<Answer>): Promise<Answer> {
    this.#underWay[where] += 1;
    try {
      return await send();
    } finally {
      this.#underWay[where] -= 1;
    }
  }

  /**
   * Whether the arriving call may come from an app that is handling a request. An app behind a socket, or in a server that was never
   * connected, looks like any other caller, so while it handles a request, every call may be its own.
   */
  get isCalledBack(): boolean {
    return this.isAppRunning || this.#underWay.outside > 0;
  }

  /** Whether the running code belongs to a connected app that is handling a request, as far as this process can tell. */
  get isAppRunning(): boolean {
    return this.#works.areRunning || (this.#underWay.toApps > 0 && this.#works.areBehindSocket);
  }

  /** Counts a call to the service as work of the app that makes it. Returns a function to call once the service has received the call. */
  callArrives(): () => void {
    return this.#works.callArrives();
  }

  /** Holds a call back until other jobs of the app have ended. See `AppWorks.holdBack`. */
  holdBack(request: Request, body: string): Promise<void> | undefined {
    return this.#works.holdBack(request, body);
  }

  /** What connected apps still do after their answers. */
  get worksAfterAnswers(): Pick<AppWorks, "goOn" | "leave"> {
    return this.#works;
  }

  /**
   * Joins the world that these connections serve.
   * @param openWarnings called when a request is sent; the function that it returns gets warnings about what follows from it
   * @param holdsCalls whether faults hold calls, which wait for the clock
   * @param keep keeps the world as it is, before anything leaves it; throws when it cannot
   */
  join(openWarnings: () => Warn, holdsCalls: () => boolean, keep: () => void): void {
    this.#openWarnings = openWarnings;
    this.#works.faultsHoldCalls = holdsCalls;
    this.#keep = keep;
  }

  #originOf(url: string): string {
    if (url !== this.#latest.url) this.#latest = { url, origin: new URL(url).origin };
    return this.#latest.origin;
  }

  async close(): Promise<void> {
    const connections = [...this.#connected.values()];
    const closers = [...this.#closers];
    this.#works.close();
    this.#connected.clear();
    this.#closers.clear();
    // Interception ends before anything is awaited, so that the next simulator can start its own.
    const ending = closers.map((end) => end());
    await Promise.all([...ending, ...connections.map(({ receiver }) => receiver.close())]);
  }
}

function checkOptions(options: ConnectOptions): void {
  refuseUnknownOptions("sim.connect", options, ["waitUntil"]);
  const { waitUntil } = options;
  if (waitUntil === undefined || typeof waitUntil === "function") return;
  throw new CentavoError(
    "INVALID_OPTION",
    `sim.connect: the option waitUntil is ${inWords(waitUntil)}. It takes a function that returns promises, such as () => handedOver.splice(0).`,
  );
}

function nobodyAt(origin: string): FailedRequest {
  return { kind: "failed", reason: "not-connected", message: `No app is connected at ${origin}.` };
}

function originOf(address: string): string {
  if (URL.canParse(address)) {
    const { origin, protocol } = new URL(address);
    if (protocol === "http:" || protocol === "https:") return origin;
  }
  throw new CentavoError(
    "INVALID_URL",
    `sim.connect(${JSON.stringify(address)}, app): the first argument is the app's origin, such as "https://shop.example".`,
  );
}
