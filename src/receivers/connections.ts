import { CentavoError } from "../errors/centavo-error.ts";
import { wallClock } from "../runtime/real-time.ts";
import type { FailedRequest, ReceiverAnswer } from "./receiver-answer.ts";
import type { MerchantApp } from "./merchant-app.ts";
import { createReceiver, loopbackReceiver } from "./receiver.ts";
import type { Receiver } from "./receiver.ts";

/** Replaces the apps while a recording is replayed. */
export interface RecordedAnswers {
  send(): Promise<ReceiverAnswer>;
  /** In milliseconds since 1970. */
  receiverTime(): number;
}

/** The merchants' apps by origin. Webhooks and returning customers go to them. */
export class Connections {
  readonly #receiverTimeout: number;
  readonly #apps = new Map<string, MerchantApp>();
  readonly #receivers = new Map<string, Receiver>();
  readonly #loopback: Receiver | undefined;
  #recorded: RecordedAnswers | undefined;
  /** Remembers the origin of the latest address, because most worlds send everything to one. */
  #latest = { url: "", origin: "" };

  /**
   * @param receiverTimeout how long an app may take, in milliseconds of real time
   * @param reachesLoopback also sends to servers of this machine that nobody connected; a request to any other host then fails
   */
  constructor(receiverTimeout: number, reachesLoopback: boolean) {
    this.#receiverTimeout = receiverTimeout;
    this.#loopback = reachesLoopback ? loopbackReceiver({ receiverTimeout }) : undefined;
  }

  /** Returns the connections that a fork starts with: none, or the same apps and servers. */
  forFork(shared: boolean): Connections {
    const connections = new Connections(this.#receiverTimeout, shared && this.#loopback !== undefined);
    if (shared) for (const [origin, app] of this.#apps) connections.connect(origin, app);
    return connections;
  }

  /** @throws {CentavoError} `INVALID_URL` when the address is not http(s), `INVALID_OPTION` when the app cannot be called */
  connect(address: string, app: MerchantApp): void {
    const origin = originOf(address);
    const receiver = createReceiver(origin, app, { receiverTimeout: this.#receiverTimeout });
    void this.#receivers.get(origin)?.close();
    this.#apps.set(origin, app);
    this.#receivers.set(origin, receiver);
  }

  /** Puts recorded answers in place of the apps, or the apps back. */
  answerFrom(recorded: RecordedAnswers | undefined): void {
    this.#recorded = recorded;
  }

  /** The receivers' time, in milliseconds since 1970: that of the process. */
  receiverTime(): number {
    return this.#recorded === undefined ? wallClock() : this.#recorded.receiverTime();
  }

  /** Returns true when a request to this address would be sent, even if the connection would be refused. */
  reaches(url: string): boolean {
    return this.#loopback !== undefined || this.isConnected(url);
  }

  isConnected(url: string): boolean {
    return this.#receivers.has(this.#originOf(url));
  }

  async send(request: Request): Promise<ReceiverAnswer> {
    if (this.#recorded !== undefined) return this.#recorded.send();
    const origin = this.#originOf(request.url);
    const receiver = this.#receivers.get(origin) ?? this.#loopback;
    return receiver === undefined ? nobodyAt(origin) : receiver.send(request);
  }

  /** The origins at which an app is connected. */
  get origins(): readonly string[] {
    return [...this.#receivers.keys()];
  }

  /** Sends the request of a visitor, and returns the whole answer. Rejects with what a fetch handler throws. */
  async visit(request: Request): Promise<Response | FailedRequest> {
    const origin = this.#originOf(request.url);
    const receiver = this.#receivers.get(origin) ?? this.#loopback;
    return receiver === undefined ? nobodyAt(origin) : receiver.visit(request);
  }

  #originOf(url: string): string {
    if (url !== this.#latest.url) this.#latest = { url, origin: new URL(url).origin };
    return this.#latest.origin;
  }

  async close(): Promise<void> {
    const receivers = [...this.#receivers.values()];
    this.#receivers.clear();
    this.#apps.clear();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  }
}

function nobodyAt(origin: string): FailedRequest {
  return { kind: "failed", reason: "not-connected", message: `Nobody is connected at ${origin}.` };
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
