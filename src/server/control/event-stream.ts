import { realTime, startTimer } from "../../kit/base/runtime/real-time.ts";

/** How long a stream may be silent, in milliseconds of real time. A proxy may close a connection on which nothing is sent. */
const LONGEST_SILENCE = 15_000;

/** What a client gets as Server-Sent Events. */
export abstract class Feed {
  #wake: () => void = () => undefined;
  #sentAt = realTime();
  isOver = false;

  /** Returns what is to be sent now, as the text of events; undefined when there is nothing. */
  abstract next(): string | undefined;

  /** How long to wait for news before `next` is asked again, in milliseconds of real time; undefined when only news ends the wait. */
  get patience(): number | undefined {
    return undefined;
  }

  /** Asks `next` again, because there may be something to send. */
  wake(): void {
    this.#wake();
  }

  /** Waits until `next` may have something to send. Returns what is to be sent after a long silence. */
  async untilNews(): Promise<string | undefined> {
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const { patience = Infinity } = this;
    const untilSilent = this.#sentAt + LONGEST_SILENCE - realTime();
    const silence = patience < untilSilent ? undefined : ": still here\n\n";
    const stopTimer = startTimer(Math.max(1, Math.min(patience, untilSilent)), () => resolve(silence), false);
    this.#wake = () => resolve(undefined);
    const text = await promise;
    stopTimer();
    return text;
  }

  /** Called when something was sent. */
  sent(): void {
    this.#sentAt = realTime();
  }

  /** Resolves when everything that was read is kept. */
  async kept(): Promise<void> {}

  /** Ends it. */
  stop(): void {
    this.isOver = true;
    this.wake();
  }
}

/** Writes an event. */
export function eventText(event: string, data: unknown, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Answers with a feed, as fast as the client reads it. */
export function eventStream(feed: Feed): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode("retry: 1000\n\n")),
    async pull(controller) {
      try {
        // Nothing is read before the client has taken what was read, so a slow client needs no memory.
        let text: string | undefined;
        // Some wakes bring nothing, and a pull that brings nothing would be the last.
        while (text === undefined && !feed.isOver) text = feed.next() ?? (await feed.untilNews());
        await feed.kept();
        if (text !== undefined) {
          controller.enqueue(encoder.encode(text));
          feed.sent();
        }
        if (feed.isOver) controller.close();
      } catch (error) {
        feed.stop();
        throw error;
      }
    },
    cancel: () => feed.stop(),
  });
  return new Response(body, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      // Tells a socket to send the body piece by piece.
      "transfer-encoding": "chunked",
    },
  });
}
