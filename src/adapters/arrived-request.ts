import type { IncomingMessage, ServerResponse } from "node:http";

/** The parts of a request that a simulator reads. */
interface Parts {
  readonly method: string;
  /** Absolute and normalised. */
  readonly url: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly body: Pick<ReadableStream<Uint8Array>, "getReader"> | null;
}

/** An answer to such a request, as its text. */
export class WholeAnswer {
  readonly body: string | null;
  readonly status: number;
  readonly #headers: Record<string, string>;

  constructor(body: string | null, { status, headers }: { status: number; headers: Record<string, string> }) {
    this.body = body;
    this.status = status;
    this.#headers = headers;
  }

  /** For those who watch the process. */
  get headers(): Headers {
    return new Headers(this.#headers);
  }

  sendTo(outgoing: ServerResponse): void {
    outgoing.writeHead(this.status, "", this.#headers).end(this.body);
  }
}

/**
 * Returns a message as a request for a simulator: with no more than a simulator reads, because a whole `Request` and `Response` with their
 * streams cost a third of an answer.
 */
export function arrivedRequest(incoming: IncomingMessage, parts: Omit<Parts, "body">, hasBody: boolean): Request {
  const reader = hasBody ? new BodyReader(incoming) : undefined;
  const body = reader === undefined ? null : { getReader: () => reader };
  return new ArrivedRequest({ ...parts, body } as Parts) as Parts as Request;
}

class ArrivedRequest implements Parts {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get method(): string {
    return this.#parts.method;
  }

  get url(): string {
    return this.#parts.url;
  }

  get headers(): Headers {
    return this.#parts.headers;
  }

  get signal(): AbortSignal {
    return this.#parts.signal;
  }

  get Answer(): typeof WholeAnswer {
    return WholeAnswer;
  }

  get body(): Parts["body"] {
    return this.#parts.body;
  }
}

// A simulator tells requests from addresses by `instanceof`.
Object.setPrototypeOf(ArrivedRequest.prototype, Request.prototype);

type Chunk = ReadableStreamReadResult<Buffer>;

/** Reads the body of a message piece by piece, and no faster than it is asked to. */
class BodyReader {
  readonly #incoming: IncomingMessage;
  readonly #read: Chunk[] = [];
  #error: Error | undefined;
  #waiting: PromiseWithResolvers<Chunk> | undefined;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
    incoming.pause();
    incoming.on("data", (value: Buffer) => {
      this.#take({ done: false, value });
      if (this.#read.length > 0) incoming.pause();
    });
    incoming.on("end", () => this.#take({ done: true, value: undefined }));
    incoming.on("error", (error) => {
      this.#error = error;
      this.#waiting?.reject(error);
    });
  }

  /** @throws the error that broke off the body */
  async read(): Promise<Chunk> {
    const next = this.#read.shift();
    if (next !== undefined) return next;
    if (this.#error !== undefined) throw this.#error;
    this.#waiting = Promise.withResolvers();
    this.#incoming.resume();
    return this.#waiting.promise;
  }

  /** Drops what is still to come. To destroy the message would close the connection, and the answer that says why would be lost. */
  cancel(): Promise<void> {
    this.#incoming.removeAllListeners("data").removeAllListeners("end").resume();
    this.#take({ done: true, value: undefined });
    return Promise.resolve();
  }

  #take(chunk: Chunk): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) this.#read.push(chunk);
    else waiting.resolve(chunk);
  }
}
