import type { Socket } from "node:net";
import { Writable } from "node:stream";
import { ReplacedFunctions } from "../kit/base/runtime/replaced-functions.ts";
import { HttpMessages } from "./http-messages.ts";
import type { ExchangeInProgress, Recorder } from "./recorder.ts";

/** A call on a connection. */
interface CallOnSocket {
  readonly method: string;
  /** Undefined for a call to another origin, which a proxy's connection may carry. */
  readonly exchange: ExchangeInProgress | undefined;
}

const UNREADABLE = "Centavo could not read what passed on the connection.";

/** A chunk that waited for others before it was written. */
interface CorkedChunk {
  readonly chunk: unknown;
  readonly encoding: BufferEncoding;
}

/**
 * Reads along on a client's connection, and changes nothing on it. Below TLS there would be nothing to read, so the socket is that of the
 * client, which writes and gets plain text.
 */
export class WatchedSocket {
  readonly #socket: Socket;
  readonly #recorder: Recorder;
  readonly #isRecorded: (url: URL) => boolean;
  #origin: string;
  readonly #calls: CallOnSocket[] = [];
  #written: CallOnSocket | undefined;
  #isInformational = false;
  #error: string | undefined;
  readonly #replaced = new ReplacedFunctions();
  #isReleased = false;
  #isUnreadable = false;
  readonly #requests = new HttpMessages({
    head: ({ start: [method, target], headers }) => {
      const url = URL.parse(target.startsWith("/") ? this.#origin + target : target);
      const exchange =
        url === null || !this.#isRecorded(url)
          ? undefined
          : this.#recorder.begin({ kind: "call", method, url: url.href, headers });
      this.#written = { method, exchange };
      this.#calls.push(this.#written);
      return method === "CONNECT" ? "another protocol" : "by headers";
    },
    body: (chunk) => this.#written?.exchange?.requestBody.add(chunk),
    end: () => {
      if (this.#isUnreadable) this.#endAll(UNREADABLE);
    },
    lost: () => this.#lose(),
  });
  readonly #answers = new HttpMessages({
    head: ({ start: [, status, text], headers }) => {
      const code = Number(status);
      this.#isInformational = code < 200 && code !== 101;
      if (this.#isInformational) return "none";
      const [call] = this.#calls;
      call?.exchange?.answer(code, text, headers);
      if (code === 101 || (call?.method === "CONNECT" && code < 300)) {
        this.#end();
        return "another protocol";
      }
      return call?.method === "HEAD" || code === 204 || code === 304 ? "none" : "close";
    },
    body: (chunk) => this.#calls[0]?.exchange?.answerBody.add(chunk),
    end: () => {
      if (!this.#isInformational) this.#end();
    },
    lost: () => this.#lose(),
  });

  /**
   * @param origin of what the connection leads to
   * @param isRecorded whether a call to this URL is recorded
   */
  constructor(socket: Socket, origin: string, recorder: Recorder, isRecorded: (url: URL) => boolean) {
    this.#socket = socket;
    this.#origin = origin;
    this.#recorder = recorder;
    this.#isRecorded = isRecorded;
    this.#attach();
  }

  /** The next call on the connection goes to this origin: a proxy's connection may carry calls to several. */
  expect(origin: string): void {
    this.#origin = origin;
  }

  /** Stops reading along. */
  release(): void {
    this.#isReleased = true;
    this.#replaced.restore();
    this.#socket.off("close", this.#onClose).off("error", this.#onError);
  }

  /**
   * The streams of Node have no public way to see what is written and read without taking part in it. A stream may lack `_writev`, and then
   * Node writes corked chunks one by one. Others may replace the same methods later, so the replacement may outlive the recording.
   */
  #attach(): void {
    const see = (chunk: unknown, encoding: BufferEncoding): void => {
      if (!this.#isReleased) this.#requests.feed(bytesOf(chunk, encoding));
    };
    const seeAnswer = (chunk: unknown, encoding?: BufferEncoding): void => {
      if (this.#isReleased) return;
      if (chunk === null) this.#answers.close();
      else this.#answers.feed(bytesOf(chunk, encoding));
    };
    // Node's own hands each chunk to `_writev`.
    if (this.#socket._write !== Writable.prototype._write)
      this.#replaced.replace(
        this.#socket,
        "_write",
        (write) =>
          function (this: unknown, chunk: unknown, encoding: BufferEncoding, done: unknown): unknown {
            see(chunk, encoding);
            return Reflect.apply(write, this, [chunk, encoding, done]);
          },
      );
    this.#replaced.replace(
      this.#socket,
      "_writev",
      (write) =>
        function (this: unknown, chunks: readonly CorkedChunk[], done: unknown): unknown {
          for (const { chunk, encoding } of chunks) see(chunk, encoding);
          return Reflect.apply(write, this, [chunks, done]);
        },
    );
    this.#replaced.replace(
      this.#socket,
      "push",
      (push) =>
        function (this: unknown, chunk: unknown, encoding?: BufferEncoding): unknown {
          seeAnswer(chunk, encoding);
          return Reflect.apply(push, this, [chunk, encoding]);
        },
    );
    this.#socket.on("close", this.#onClose).on("error", this.#onError);
  }

  readonly #onError = (error: Error): void => {
    this.#error = error.message;
  };

  readonly #onClose = (): void => {
    this.#answers.close();
    this.#endAll(
      this.#error === undefined
        ? "The connection ended before the answer was whole."
        : `${this.#error.replace(/\.$/, "")}.`,
    );
  };

  #lose(): void {
    this.#isUnreadable = true;
    this.#endAll(UNREADABLE);
  }

  #endAll(failure: string): void {
    for (const { exchange } of this.#calls.splice(0)) exchange?.end(failure);
  }

  #end(): void {
    this.#calls.shift()?.exchange?.end();
  }
}

function bytesOf(chunk: unknown, encoding: BufferEncoding | undefined): Uint8Array {
  if (typeof chunk === "string") return Buffer.from(chunk, (encoding as string) === "buffer" ? "utf8" : encoding);
  return chunk instanceof Uint8Array ? chunk : new Uint8Array();
}
