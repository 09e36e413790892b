/** A merchant whose program runs in another process, in place of the apps that a test connects. */
export class MerchantElsewhere {
  /** The origin at which the program runs, such as `http://localhost:3000`. */
  readonly origin: string;
  readonly #replaced = new Set<string>();

  constructor(origin: string) {
    this.origin = origin;
  }

  /** The origins at which the test has connected an app that the merchant stands for. */
  get replaced(): readonly string[] {
    return [...this.#replaced];
  }

  replace(origin: string): void {
    this.#replaced.add(origin);
  }

  /** Returns a request to the merchant, if it is for an app that the merchant stands for. */
  moved(request: Request): Request {
    const url = new URL(request.url);
    if (!this.#replaced.has(url.origin)) return request;
    return new Request(this.origin + url.pathname + url.search, request);
  }
}
