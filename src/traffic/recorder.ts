import { OriginalDate } from "../kit/base/runtime/dates.ts";
import { realTime, wallTime } from "../kit/base/runtime/real-time.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { warnProcess } from "../kit/base/runtime/process-warning.ts";
import { LARGEST_RECORDING } from "./decode-traffic.ts";
import type { Exchange, Header } from "./exchange.ts";
import { harEntryOf, harOf } from "./har.ts";
import type { RecordedExchange } from "./har.ts";
import { RecordedBody } from "./recorded-body.ts";
import { TrafficRedaction } from "./redaction.ts";
import { TrafficFile } from "./traffic-file.ts";

/** A request as it begins. */
export interface BegunRequest {
  readonly kind: Exchange["kind"];
  readonly method: string;
  /** The whole URL. */
  readonly url: string;
  readonly headers: readonly Header[];
}

/** An exchange that is recorded while it happens. */
export interface ExchangeInProgress {
  /** Gets the body of the request. */
  readonly requestBody: RecordedBody;
  /** Gets the body of the answer, also before its head. */
  readonly answerBody: RecordedBody;
  /** The answer has this head. */
  answer(status: number, statusText: string, headers: readonly Header[]): void;
  /** The exchange is over. @param failure why it has no whole answer, in a sentence */
  end(failure?: string): void;
}

interface Entry {
  recorded: RecordedExchange;
  json: string;
  /** In the file, in bytes. */
  size: number;
  /** How many secrets were met when it was redacted. */
  met: number;
}

/** What the file has besides its entries, in bytes, with plenty to spare. */
const FRAME = 1000;
const MEGABYTE = 1024 * 1024;
const NOT_ENDED = "No whole answer came before the recording ended.";

/** Writes exchanges into a HAR file, without their secrets. */
export class Recorder {
  readonly #redaction: TrafficRedaction;
  readonly #file: TrafficFile;
  readonly #name: string;
  readonly #largest: number;
  /** In the order of their beginning; undefined for one that is not recorded yet, or not any more. */
  readonly #entries: (Entry | undefined)[] = [];
  readonly #inProgress = new Set<RecordingExchange>();
  readonly #onExit = (): void => this.close();
  #size = FRAME;
  #count = 0;
  #isFull = false;

  /**
   * @param call what records, for messages
   * @param redact further headers and fields whose values are secret
   * @param largest how large the file may become, in bytes: by default as large as a file that can be read again
   * @throws {CentavoError} `INVALID_OPTION` when the file cannot be written
   */
  constructor(call: string, file: string, redact: readonly string[] = [], largest = LARGEST_RECORDING) {
    this.#redaction = new TrafficRedaction(redact);
    this.#name = file;
    this.#largest = largest;
    this.#file = new TrafficFile(call, file, () => this.#har());
    process.once("exit", this.#onExit);
  }

  /** How many exchanges have begun, without those for which the file has no room. */
  get count(): number {
    return this.#count;
  }

  /** Returns a URL without the secrets that were met by now. */
  url(url: string): string {
    return this.#redaction.url(url);
  }

  begin(request: BegunRequest): ExchangeInProgress {
    this.#count += 1;
    const place = this.#entries.push(undefined) - 1;
    const exchange = new RecordingExchange(request, (recorded) => {
      this.#inProgress.delete(exchange);
      this.#record(place, recorded);
    });
    this.#inProgress.add(exchange);
    return exchange;
  }

  /**
   * Writes the file for the last time, with what has not ended yet. Does nothing when called again.
   * @throws Node's error when it cannot be written
   */
  close(): void {
    process.removeListener("exit", this.#onExit);
    for (const exchange of this.#inProgress) exchange.end(NOT_ENDED);
    this.#file.close();
  }

  #record(place: number, recorded: RecordedExchange): void {
    if (this.#isFull) {
      this.#count -= 1;
      return;
    }
    this.#put(
      place,
      this.#redacted(recorded, (whole) => this.#redaction.exchange(whole)),
    );
    this.#keepWithinLimit();
    this.#file.grew();
  }

  #put(place: number, entry: Entry | undefined): void {
    this.#size += (entry?.size ?? 0) - (this.#entries[place]?.size ?? 0);
    this.#entries[place] = entry;
  }

  /** Leaves out the last exchanges when there are too many, and all that come after them. */
  #keepWithinLimit(): void {
    if (this.#size <= this.#largest) return;
    for (let place = this.#entries.length - 1; this.#size > this.#largest && place >= 0; place -= 1) {
      if (this.#entries[place] === undefined) continue;
      this.#put(place, undefined);
      this.#count -= 1;
    }
    if (this.#isFull) return;
    this.#isFull = true;
    warnProcess(
      `The recording ${inWords(this.#name)} is full: a file of more than ${this.#largest / MEGABYTE} MB cannot be read again. What comes now is not recorded. Begin another recording, with a file of its own.`,
    );
  }

  #redacted(recorded: RecordedExchange, redact: (exchange: Exchange) => Exchange): Entry {
    const { statusText, failure, exchange } = recorded;
    const redacted = {
      ...recorded,
      exchange: redact(exchange),
      statusText: this.#redaction.body(statusText),
      ...(failure !== undefined && { failure: this.#redaction.body(failure) }),
    };
    const json = harEntryOf(redacted);
    return { recorded: redacted, json, size: Buffer.byteLength(json) + 2, met: this.#redaction.met };
  }

  #har(): string {
    const { met } = this.#redaction;
    for (const [place, entry] of this.#entries.entries())
      if (entry !== undefined && entry.met < met)
        this.#put(
          place,
          this.#redacted(entry.recorded, (exchange) => this.#redaction.again(exchange)),
        );
    // A stand-in may be longer than what it stands for.
    this.#keepWithinLimit();
    return harOf(this.#entries.flatMap((entry) => entry?.json ?? []));
  }
}

class RecordingExchange implements ExchangeInProgress {
  readonly requestBody = new RecordedBody();
  readonly answerBody = new RecordedBody();
  readonly #request: BegunRequest;
  readonly #ended: (recorded: RecordedExchange) => void;
  readonly #startedAt = new OriginalDate(wallTime.now()).toISOString();
  readonly #began = realTime();
  #answer: { readonly status: number; readonly statusText: string; readonly headers: readonly Header[] } | undefined;
  #isOver = false;

  constructor(request: BegunRequest, ended: (recorded: RecordedExchange) => void) {
    this.#request = request;
    this.#ended = ended;
  }

  answer(status: number, statusText: string, headers: readonly Header[]): void {
    this.#answer = { status, statusText, headers: inLowerCase(headers) };
  }

  end(failure?: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#ended(this.#recorded(realTime() - this.#began, failure));
  }

  /** An answer that broke off is none. */
  #recorded(duration: number, failure: string | undefined): RecordedExchange {
    const { kind, method, url, headers } = this.#request;
    const sent = inLowerCase(headers);
    const answer = failure === undefined ? this.#answer : undefined;
    const requestBody = this.requestBody.read((name) => valueOf(sent, name));
    const answerBody =
      answer === undefined ? { size: 0 } : this.answerBody.read((name) => valueOf(answer.headers, name));
    return {
      exchange: {
        source: "",
        kind,
        startedAt: this.#startedAt,
        request: { method, url, headers: sent, ...withText(requestBody.text) },
        ...(answer !== undefined && {
          answer: { status: answer.status, headers: answer.headers, ...withText(answerBody.text) },
        }),
      },
      duration: Math.round(duration * 1000) / 1000,
      statusText: answer?.statusText ?? "",
      requestBody,
      answerBody,
      ...(failure !== undefined && { failure }),
    };
  }
}

function withText(text: string | undefined): { readonly body?: string } {
  return text === undefined ? {} : { body: text };
}

function valueOf(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([other]) => other === name)?.[1];
}

function inLowerCase(headers: readonly Header[]): readonly Header[] {
  return headers.map(([name, value]) => [name.toLowerCase(), value]);
}
