/** The default of `--keep`. */
export const KEEP = 10_000;

/** Explains the server's memory, as measured with payments that are created, confirmed and delivered as webhooks. */
export const HOW_MUCH_IS_KEPT =
  "The default takes about 220 MiB of heap, --keep 1000 about 55 MiB, however many requests it answers or refuses. The server always keeps what has not finished, such as an open payment or an undelivered event.";

/** Explains how the server stops. */
export const HOW_IT_STOPS =
  "SIGTERM and Ctrl+C stop the server: it refuses new requests, answers those before, delivers the events that are due, for at most 10 s, and exits with 0, or with 3 if it had to leave something. A second signal ends it at once, with 128 and the number of the signal.";
