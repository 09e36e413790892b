/** A call, as a merchant's HTTP client makes it. */
export interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}
