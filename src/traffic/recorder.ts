import { OriginalDate } from "../kit/base/runtime/dates.ts";
import { realTime, wallTime } from "../kit/base/runtime/real-time.ts";
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
  /** The answer begins. Returns what gets its body. */
  answer(status: number, statusText: string, headers: readonly Header[]): RecordedBody;
  /** The exchange is over. @param failure why it has no whole answer, in a sentence */
  end(failure?: string): void;
}

interface Entry {
  recorded: RecordedExchange;
  json: string;
  /** How many secrets were met when it was redacted. */
  met: number;
}

const NOT_ENDED = "No whole answer came before the recording ended.";

/** Writes exchanges into a HAR file, without their secrets. */
export class Recorder {
  readonly #redaction: TrafficRedaction;
  readonly #file: TrafficFile;
  /** In the order of their beginning; undefined for one that is not recorded yet. */
  readonly #entries: (Entry | undefined)[] = [];
  readonly #inProgress = new Set<RecordingExchange>();
  readonly #onExit = (): void => this.close();

  /**
   * @param call what records, for messages
   * @param redact further headers and fields whose values are secret
   * @throws {CentavoError} `INVALID_OPTION` when the file cannot be written
   */
  constructor(call: string, file: string, redact: readonly string[] = []) {
    this.#redaction = new TrafficRedaction(redact);
    this.#file = new TrafficFile(call, file, () => this.#har());
    process.once("exit", this.#onExit);
  }

  /** How many exchanges have begun. */
  get count(): number {
    return this.#entries.length;
  }

  begin(request: BegunRequest): ExchangeInProgress {
    const place = this.#entries.push(undefined) - 1;
    const exchange = new RecordingExchange(request, (recorded) => {
      this.#inProgress.delete(exchange);
      this.#entries[place] = this.#redacted(recorded, (whole) => this.#redaction.exchange(whole));
      this.#file.grew();
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

  #redacted(recorded: RecordedExchange, redact: (exchange: Exchange) => Exchange): Entry {
    const { statusText, failure, exchange } = recorded;
    const redacted = {
      ...recorded,
      exchange: redact(exchange),
      statusText: this.#redaction.body(statusText),
      ...(failure !== undefined && { failure: this.#redaction.body(failure) }),
    };
    return { recorded: redacted, json: harEntryOf(redacted), met: this.#redaction.met };
  }

  #har(): string {
    const { met } = this.#redaction;
    for (const [place, entry] of this.#entries.entries())
      if (entry !== undefined && entry.met < met)
        this.#entries[place] = this.#redacted(entry.recorded, (exchange) => this.#redaction.again(exchange));
    return harOf(this.#entries.flatMap((entry) => entry?.json ?? []));
  }
}

class RecordingExchange implements ExchangeInProgress {
  readonly requestBody = new RecordedBody();
  readonly #request: BegunRequest;
  readonly #ended: (recorded: RecordedExchange) => void;
  readonly #startedAt = new OriginalDate(wallTime.now()).toISOString();
  readonly #began = realTime();
  readonly #answerBody = new RecordedBody();
  #answer: { readonly status: number; readonly statusText: string; readonly headers: readonly Header[] } | undefined;
  #isOver = false;

  constructor(request: BegunRequest, ended: (recorded: RecordedExchange) => void) {
    this.#request = request;
    this.#ended = ended;
  }

  answer(status: number, statusText: string, headers: readonly Header[]): RecordedBody {
    this.#answer = { status, statusText, headers: inLowerCase(headers) };
    return this.#answerBody;
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
      answer === undefined ? { size: 0 } : this.#answerBody.read((name) => valueOf(answer.headers, name));
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
