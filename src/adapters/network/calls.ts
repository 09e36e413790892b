import { CentavoError } from "../../kit/base/errors/centavo-error.ts";

/** The calls that began under one interception. They belong to it, whatever comes after it. */
export class CallsOfInterception {
  /** Those that are neither answered nor broken off. */
  readonly onTheWay = new Set<Call>();
  /** Whether a client may call again by itself, because a call broke off, or got an answer that clients follow or repeat. */
  mayComeAgain = false;
  isOpen = true;
  #urls: () => readonly URL[];
  readonly #onLate: (calls: CallsOfInterception) => void;

  /**
   * @param urls returns the addresses that it answers now
   * @param onLate is called when the interception ends, and after it whenever a call begins or the last one is over
   */
  constructor(urls: () => readonly URL[], onLate: (calls: CallsOfInterception) => void) {
    this.#urls = urls;
    this.#onLate = onLate;
  }

  /** The addresses that it answers, or answered when it ended. */
  get urls(): readonly URL[] {
    return this.#urls();
  }

  /** Ends the interception for its calls. Those that have reached the service are still answered. */
  end(): void {
    const { urls } = this;
    this.#urls = () => urls;
    this.isOpen = false;
    this.#onLate(this);
    for (const call of this.onTheWay) call.breakOffIfLate();
  }

  /** Whether some have not reached their service. */
  get areAwaited(): boolean {
    return [...this.onTheWay].some((call) => !call.hasArrived && this.#answers(call));
  }

  note(call: Call): void {
    this.onTheWay.add(call);
    if (!this.isOpen) this.#onLate(this);
  }

  /** Notes that a call is over. */
  forget(call: Call, mayComeAgain: boolean): void {
    this.mayComeAgain ||= mayComeAgain && this.#answers(call);
    if (this.onTheWay.delete(call) && !this.isOpen && this.onTheWay.size === 0) this.#onLate(this);
  }

  #answers(call: Call): boolean {
    return this.urls.some(({ origin }) => origin === call.url.origin);
  }
}

/** A call, from when its client makes it until it is answered or breaks off. */
export class Call {
  readonly url: URL;
  readonly method: string;
  readonly owners: readonly CallsOfInterception[];
  hasArrived = false;
  readonly #breakOff: ((error: Error) => void) | undefined;
  #status: number | undefined;
  /** Where its answer leads the client, if it is a redirect. */
  #redirect: URL | null = null;
  #isOver = false;

  /**
   * @param owners the interceptions to which it belongs
   * @param breakOff fails a call that has not reached its service
   */
  constructor(method: string, url: URL, owners: readonly CallsOfInterception[], breakOff?: (error: Error) => void) {
    this.url = url;
    this.method = method;
    this.owners = owners;
    this.#breakOff = breakOff;
    for (const owner of owners) owner.note(this);
  }

  /** Whether every interception to which it belongs has ended. */
  get isLate(): boolean {
    return this.owners.every(({ isOpen }) => !isOpen);
  }

  /** Ends a call that is late. Returns its error. */
  endLate(): CentavoError {
    this.end();
    return this.lateError;
  }

  /** The error of a call that is late. */
  get lateError(): CentavoError {
    return new CentavoError(
      "WORLD_ENDED",
      `${this.method} ${this.url.pathname} began under an interception that has ended, so it gets no answer and no later world gets the call. ` +
        "Await every call of a test, or abort it, before the test ends.",
    );
  }

  /** The call has reached its service, which answers it from now on. */
  arrive(): void {
    this.hasArrived = true;
  }

  get isAnswered(): boolean {
    return this.#status !== undefined;
  }

  /** The service has answered. The call is over once its client has the answer. */
  answer(status: number, location: string | undefined | null): void {
    this.#status = status;
    if (status >= 300 && status < 400 && typeof location === "string") this.#redirect = URL.parse(location, this.url);
  }

  /** Whether the answer leads its client there. */
  redirectsTo(url: URL): boolean {
    return this.#redirect !== null && withoutHash(this.#redirect) === withoutHash(url);
  }

  /**
   * Whether a call that begins where the client of this one got its answer is of that client: it follows the redirect, or tries again after a
   * failure. What else begins there is of the caller's own code.
   */
  isFollowedBy(method: string, url: URL): boolean {
    if (this.#status === undefined && !this.#isOver) return true;
    const isRepeated = method === this.method && url.origin === this.url.origin && url.pathname === this.url.pathname;
    return this.redirectsTo(url) || (isRepeated && (this.#status === undefined || this.#status >= 400));
  }

  /** The call is over. Without an answer, it broke off. */
  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const mayComeAgain = this.#status === undefined || isFollowedByAnother(this.#status);
    for (const owner of this.owners) owner.forget(this, mayComeAgain);
  }

  /** Breaks off a call that has not reached its service, once its interceptions have ended. */
  breakOffIfLate(): void {
    if (this.isLate && !this.hasArrived) this.#breakOff?.(this.lateError);
  }
}

/** Whether clients follow or repeat a call by themselves after an answer with this status. */
function isFollowedByAnother(status: number): boolean {
  return (status >= 300 && status < 400) || status === 408 || status === 413 || status === 429 || status >= 500;
}

function withoutHash({ href }: URL): string {
  return href.replace(/#.*$/s, "");
}
