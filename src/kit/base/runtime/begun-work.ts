import type { AsyncHook } from "node:async_hooks";
import { listenToChannel } from "./diagnostics.ts";
import { delayOf, isOver, repeats } from "./node-timers.ts";
import { nextMacrotask } from "./real-time.ts";
import { SocketExchange, watchWrites } from "./socket-exchange.ts";
import { watchWebCrypto } from "./web-crypto.ts";

/** Work that ends by itself, such as reading a file. */
export interface BegunWork {
  /** What it waits for, such as `a file`. */
  readonly kind: string;
  /** What it belongs to. Newer work of the same subject replaces it. */
  readonly subject: object;
  /** How long it takes at least, in milliseconds. */
  readonly delay: number;
  readonly isOpen: boolean;
}

/** Receives work as it begins, in its async context. Returns the function to call at its end, or undefined if it does not matter. */
type Receive = (work: BegunWork) => (() => void) | undefined;

/** Node's names for operations that call back once. */
const operations: Readonly<Record<string, string>> = {
  FSREQCALLBACK: "a file",
  FSREQPROMISE: "a file",
  FILEHANDLECLOSEREQ: "a file",
  GETADDRINFOREQWRAP: "the name of a host",
  GETNAMEINFOREQWRAP: "the name of a host",
  QUERYWRAP: "the name of a host",
  TCPCONNECTWRAP: "a socket",
  PIPECONNECTWRAP: "a socket",
  WRITEWRAP: "a socket",
  UDPSENDWRAP: "a socket",
  PROCESSWRAP: "a child process",
  WORKER: "a worker",
  Timeout: "a timer",
  Immediate: "a timer",
};
/**
 * The end of the names of cryptographic operations, such as `PBKDF2REQUEST`, which call back once too. Libraries give such names to resources
 * of theirs, such as undici's `UNDICI_REQUEST`, so only Node's own names count.
 */
const CRYPTOGRAPHIC = /REQUEST$/;
const CRYPTOGRAPHY = "cryptography";
/** Node's names for what calls back with each part and is destroyed at its end. */
const exchanges: Readonly<Record<string, string>> = {
  HTTPCLIENTREQUEST: "an HTTP call",
  HTTP2STREAM: "an HTTP call",
  ZLIB: "compression",
};

/** Names that Node's own scripts give to what they make, and that no provider of Node has. */
const OF_SCRIPTS: ReadonlySet<string> = new Set(["TickObject", "Timeout", "Immediate"]);

/** How many turns of the event loop the watch stays in place without watchers. */
const TURNS_IN_PLACE = 10;

/** What Node's objects tell about work, each as far as its kind has it. */
interface Resource {
  /** Whether the process stays alive for a timer, a worker or a child process. */
  hasRef?(): boolean;
  /** What is being compressed. */
  readonly buffer?: unknown;
  /** A request of `node:http`, with its answer. */
  readonly req?: { readonly res?: { readonly headers?: Readonly<Record<string, unknown>> } | null };
  /** What a request of undici asks to go on with, such as `websocket`. */
  readonly upgrade?: unknown;
  /** What a cryptographic operation calls back. */
  readonly ondone?: unknown;
}

/** A message of undici's channels. */
interface CallOfUndici {
  readonly request: Resource;
  readonly response?: { readonly headers?: readonly unknown[] };
}

/**
 * Watches the work that the process begins, through Node's async hooks and undici's channels. Because no interface of Node tells who writes
 * to a socket, and which work of web crypto has ended, it also replaces two methods of `net.Socket` and those of `SubtleCrypto`. All of that
 * is in place only while it watches, and a moment longer. Without `node:async_hooks` it sees nothing.
 */
export class BegunWorkWatch<Watcher> {
  readonly #receivers: Set<Receive>;
  /** What to call at the end of work, by the number of Node or the request of undici. */
  readonly #ends = new Map<unknown, { readonly end: () => void; readonly callsBackOnce: boolean }>();
  #hook: AsyncHook | undefined;
  readonly #watchers = new Set<Watcher>();
  #isInPlace = false;
  #isStopping = false;
  #stops: readonly (() => void)[] = [];

  constructor(receive: Receive) {
    this.#receivers = new Set([receive]);
  }

  /** Those for whom it watches, in the order in which they began. */
  get watchers(): readonly Watcher[] {
    return [...this.#watchers];
  }

  /** Begins to watch. */
  begin(watcher: Watcher): void {
    this.#watchers.add(watcher);
    if (!this.#isInPlace) this.#start();
  }

  /** Ends what `begin` began. */
  end(watcher: Watcher): void {
    this.#watchers.delete(watcher);
    void this.#stopSoon();
  }

  /**
   * Watches for one more receiver.
   * @returns a function that ends it
   */
  tell(receive: Receive): () => void {
    this.#receivers.add(receive);
    if (!this.#isInPlace) this.#start();
    return () => {
      this.#receivers.delete(receive);
      void this.#stopSoon();
    };
  }

  get #isWanted(): boolean {
    return this.#watchers.size > 0 || this.#receivers.size > 1;
  }

  #start(): void {
    this.#hook ??= this.#createHook();
    if (this.#hook === undefined) return;
    this.#isInPlace = true;
    this.#hook.enable();
    const on = (event: string, listener: (call: CallOfUndici) => void): (() => void) =>
      listenToChannel(`undici:request:${event}`, (message) => listener(message as CallOfUndici));
    this.#stops = [
      watchWrites((socket) => void this.#receive(new SocketExchange(socket))),
      watchWebCrypto((call) => {
        this.#began(call, new Operation(CRYPTOGRAPHY, call));
        return () => this.#ended(call);
      }),
      // A WebSocket stays open. The socket tells when it has been opened.
      on("create", ({ request }) => isUpgrade(request) || this.#began(request, new Operation("an HTTP call", request))),
      on("headers", ({ request, response }) => response?.headers?.some(isEventStream) && this.#ended(request)),
      on("trailers", ({ request }) => this.#ended(request)),
      on("error", ({ request }) => this.#ended(request)),
    ];
  }

  /** Stops some turns after nobody wants it, because to start again for the next delivery or timer would take longer than they do. */
  async #stopSoon(): Promise<void> {
    if (this.#isWanted || !this.#isInPlace || this.#isStopping) return;
    this.#isStopping = true;
    for (let turn = 0; turn < TURNS_IN_PLACE && !this.#isWanted; turn += 1) await nextMacrotask();
    this.#isStopping = false;
    if (this.#isWanted) return;
    this.#isInPlace = false;
    this.#hook?.disable();
    for (const stop of this.#stops) stop();
    this.#stops = [];
    this.#ends.clear();
  }

  #createHook(): AsyncHook | undefined {
    const hooks = globalThis.process?.getBuiltinModule?.("node:async_hooks");
    if (hooks === undefined) return undefined;
    const { AsyncResource, asyncWrapProviders, createHook } = hooks;
    const isCryptographic = (type: string): boolean =>
      CRYPTOGRAPHIC.test(type) && !(type in exchanges) && Object.hasOwn(asyncWrapProviders, type);
    const isNative = (type: string, resource: object): boolean =>
      !OF_SCRIPTS.has(type) && !Object.hasOwn(asyncWrapProviders, type) && !(resource instanceof AsyncResource);
    return createHook({
      init: (id, type, _, resource: Resource) => {
        if (isNative(type, resource)) this.#began(id, new Operation("native code", resource), true);
        if (isCryptographic(type)) this.#began(id, new Cryptography(CRYPTOGRAPHY, resource), true);
        const kind = operations[type] ?? exchanges[type];
        // An interval never ends by itself.
        if (kind === undefined || repeats(resource)) return;
        this.#began(id, new Operation(kind, resource), !(type in exchanges));
      },
      // The callback itself may begin the next work.
      before: (id) => this.#ends.get(id)?.callsBackOnce === true && this.#ended(id),
      destroy: (id) => this.#ended(id),
      // Otherwise every promise of the process would call the hook.
      trackPromises: false,
    });
  }

  #began(key: unknown, work: Operation, callsBackOnce = false): void {
    const end = this.#receive(work);
    if (end !== undefined) this.#ends.set(key, { end, callsBackOnce });
  }

  #receive(work: BegunWork): (() => void) | undefined {
    const ends = [...this.#receivers].flatMap((receive) => receive(work) ?? []);
    return ends.length === 0 ? undefined : () => ends.forEach((end) => end());
  }

  #ended(key: unknown): void {
    this.#ends.get(key)?.end();
    this.#ends.delete(key);
  }
}

/** An operation, which is open until its end is told, unless Node's object knows better. */
class Operation implements BegunWork {
  readonly kind: string;
  readonly subject: Resource;

  constructor(kind: string, subject: Resource) {
    this.kind = kind;
    this.subject = subject;
  }

  get delay(): number {
    return delayOf(this.subject);
  }

  get isOpen(): boolean {
    const { kind, subject } = this;
    // A compression is destroyed long after its end.
    if (kind === "compression") return (subject.buffer ?? null) !== null;
    if (isEventStream(subject.req?.res?.headers?.["content-type"])) return false;
    return !isOver(subject) && (subject.hasRef?.() ?? true);
  }
}

/** A cryptographic operation. Without a callback it is over when its call returns, although Node tells no end. */
class Cryptography extends Operation {
  override get isOpen(): boolean {
    return this.subject.ondone !== undefined;
  }
}

function isUpgrade({ upgrade }: CallOfUndici["request"]): boolean {
  return typeof upgrade === "string";
}

/** Whether this is the content type of server-sent events, which have no end. */
function isEventStream(type: unknown): boolean {
  return String(type).startsWith("text/event-stream");
}
