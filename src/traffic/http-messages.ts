import type { Header } from "./exchange.ts";

/** The head of a message of HTTP/1.1. */
export interface MessageHead {
  /** The three parts of its first line: `POST /api HTTP/1.1` or `HTTP/1.1 200 OK`. */
  readonly start: readonly [first: string, second: string, third: string];
  readonly headers: readonly Header[];
}

/** What becomes of the messages on a connection. */
export interface MessageListener {
  /** Returns how the body ends, if the message says nothing else: `none` for the answer to HEAD, `close` for what goes on until the end. */
  head(head: MessageHead): "by headers" | "none" | "close" | "another protocol";
  body(chunk: Uint8Array): void;
  end(): void;
  /** Something cannot be read, and nothing is read from there on. */
  lost(): void;
}

/** In bytes. Node's own limit is a sixteenth of it. */
const LONGEST_HEAD = 256 * 1024;
const LONGEST_LINE = 1024;
const LINE_FEED = 10;

type State =
  | { readonly kind: "head" }
  | { readonly kind: "counted"; left: number }
  | { readonly kind: "chunk size" }
  | { readonly kind: "chunk"; left: number }
  | { readonly kind: "after chunk" }
  | { readonly kind: "trailers" }
  | { readonly kind: "until close" }
  /** Bytes that cannot be read, or are no more HTTP. */
  | { readonly kind: "ignored" };

/**
 * Reads the messages that go one way on a connection of HTTP/1.1, without taking part in it. It reads each byte once. What it cannot read it
 * ignores from there on.
 */
export class HttpMessages {
  readonly #listener: MessageListener;
  #state: State = { kind: "head" };
  #line = "";
  #lines: string[] = [];
  #headLength = 0;

  constructor(listener: MessageListener) {
    this.#listener = listener;
  }

  feed(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length && this.#state.kind !== "ignored") at = this.#take(bytes, at);
  }

  /** The connection has ended. */
  close(): void {
    if (this.#state.kind === "until close") this.#finish();
  }

  /** Returns where the next part begins. */
  #take(bytes: Uint8Array, at: number): number {
    const state = this.#state;
    switch (state.kind) {
      case "counted":
      case "chunk": {
        const part = bytes.subarray(at, at + state.left);
        this.#listener.body(part);
        state.left -= part.length;
        if (state.left === 0) {
          if (state.kind === "chunk") this.#state = { kind: "after chunk" };
          else this.#finish();
        }
        return at + part.length;
      }
      case "until close":
        this.#listener.body(bytes.subarray(at));
        return bytes.length;
      case "ignored":
        return bytes.length;
      case "head":
      case "chunk size":
      case "after chunk":
      case "trailers":
        return this.#takeLine(bytes, at, state.kind);
    }
  }

  #takeLine(bytes: Uint8Array, at: number, kind: "head" | "chunk size" | "after chunk" | "trailers"): number {
    const found = bytes.indexOf(LINE_FEED, at);
    const end = found === -1 ? bytes.length : found + 1;
    this.#headLength += end - at;
    if (this.#headLength > (kind === "head" || kind === "trailers" ? LONGEST_HEAD : LONGEST_LINE)) {
      this.#lose();
      return end;
    }
    this.#line += latin1(bytes.subarray(at, end));
    if (found === -1) return end;
    const line = this.#line.replace(/\r?\n$/, "");
    this.#line = "";
    this.#lineOf(kind, line);
    return end;
  }

  #lineOf(kind: "head" | "chunk size" | "after chunk" | "trailers", line: string): void {
    switch (kind) {
      case "head":
        // Empty lines may come before a message (RFC 9112 §2.2).
        if (line !== "") this.#lines.push(line);
        else if (this.#lines.length > 0) this.#begin();
        else this.#headLength = 0;
        return;
      case "chunk size": {
        const [, size = ""] = /^([\da-f]{1,12})\s{0,8}(?:;.*)?$/i.exec(line) ?? [];
        const left = Number.parseInt(size, 16);
        this.#headLength = 0;
        if (Number.isNaN(left)) this.#lose();
        else this.#state = left === 0 ? { kind: "trailers" } : { kind: "chunk", left };
        return;
      }
      case "after chunk":
        this.#headLength = 0;
        this.#state = { kind: "chunk size" };
        return;
      case "trailers":
        if (line === "") this.#finish();
    }
  }

  #begin(): void {
    const [first = "", ...lines] = this.#lines;
    this.#lines = [];
    this.#headLength = 0;
    const start = /^(\S{1,100}) (\S+)(?: (.*))?$/s.exec(first);
    if (start === null || !first.includes("HTTP/1.")) {
      this.#lose();
      return;
    }
    const headers = lines.flatMap((line): Header[] => {
      const colon = line.indexOf(":");
      return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
    });
    const [, one = "", two = "", three = ""] = start;
    const framing = this.#listener.head({ start: [one, two, three], headers });
    if (framing === "another protocol") this.#state = { kind: "ignored" };
    else if (framing === "none") this.#finish();
    else this.#beginBody(bodyOf(headers, framing));
  }

  #beginBody(body: State | undefined): void {
    if (body === undefined) this.#lose();
    else if (body.kind === "counted" && body.left === 0) this.#finish();
    else this.#state = body;
  }

  #lose(): void {
    this.#state = { kind: "ignored" };
    this.#listener.lost();
  }

  #finish(): void {
    this.#state = { kind: "head" };
    this.#headLength = 0;
    this.#listener.end();
  }
}

/** Returns undefined for a length that is none. */
function bodyOf(headers: readonly Header[], framing: "by headers" | "close"): State | undefined {
  const valueOf = (name: string): string | undefined => headers.find(([other]) => other === name)?.[1];
  if (/\bchunked\b/i.test(valueOf("transfer-encoding") ?? "")) return { kind: "chunk size" };
  const length = valueOf("content-length");
  if (length !== undefined) return /^\d{1,15}$/.test(length) ? { kind: "counted", left: Number(length) } : undefined;
  return framing === "close" ? { kind: "until close" } : { kind: "counted", left: 0 };
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
