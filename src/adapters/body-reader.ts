import type { IncomingMessage } from "node:http";

type Chunk = ReadableStreamReadResult<Buffer>;

/** Reads the body of a message piece by piece, and no faster than it is asked to. */
export class BodyReader {
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
