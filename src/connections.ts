import { CentavoError } from "./errors.ts";
import type { ReceiverAnswer } from "./webhooks/exchange.ts";
import type { MerchantApp } from "./webhooks/merchant-app.ts";
import { createReceiver, loopbackReceiver } from "./webhooks/receiver.ts";
import type { Receiver } from "./webhooks/receiver.ts";

/** The merchants' apps by origin: webhooks and returning customers go to them. */
export class Connections {
  readonly #receiverTimeout: number;
  readonly #apps = new Map<string, MerchantApp>();
  readonly #receivers = new Map<string, Receiver>();
  readonly #loopback: Receiver | undefined;

  /** Without `reachesLoopback`, as in a fork, only connected apps are reached. */
  constructor(receiverTimeout: number, reachesLoopback: boolean) {
    this.#receiverTimeout = receiverTimeout;
    this.#loopback = reachesLoopback ? loopbackReceiver({ receiverTimeout }) : undefined;
  }

  /** @throws {CentavoError} `INVALID_URL` for what is no http(s) origin, `INVALID_OPTION` for what is no app */
  connect(address: string, app: MerchantApp): string {
    const origin = originOf(address);
    const receiver = createReceiver(origin, app, { receiverTimeout: this.#receiverTimeout });
    void this.#receivers.get(origin)?.close();
    this.#apps.set(origin, app);
    this.#receivers.set(origin, receiver);
    return origin;
  }

  /** Whether anything sent to this address would go anywhere, be it to a refused connection. */
  reaches(url: string): boolean {
    return this.#loopback !== undefined || this.#receivers.has(new URL(url).origin);
  }

  isConnected(url: string): boolean {
    return this.#receivers.has(new URL(url).origin);
  }

  async send(request: Request): Promise<ReceiverAnswer> {
    const { origin } = new URL(request.url);
    const receiver = this.#receivers.get(origin) ?? this.#loopback;
    return receiver === undefined ? { kind: "failed", reason: "not-connected", message: `Nobody is connected at ${origin}.` } : receiver.send(request);
  }

  /** Connects the same apps to another simulator. */
  shareWith(other: Connections): void {
    for (const [origin, app] of this.#apps) other.connect(origin, app);
  }

  async close(): Promise<void> {
    const receivers = [...this.#receivers.values()];
    this.#receivers.clear();
    this.#apps.clear();
    await Promise.all(receivers.map((receiver) => receiver.close()));
  }
}

function originOf(address: string): string {
  if (URL.canParse(address)) {
    const { origin, protocol } = new URL(address);
    if (protocol === "http:" || protocol === "https:") return origin;
  }
  throw new CentavoError("INVALID_URL", `sim.connect(${JSON.stringify(address)}, app): the first argument is the app's origin, such as "https://shop.example".`);
}
