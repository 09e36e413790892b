import type { IncomingMessage } from "node:http";

/**
 * The body of a request as a web stream that the reader's pace controls.
 *
 * `Readable.toWeb` would do but for one thing: a reader that stops early (a body over the limit) makes it destroy the
 * connection, and with it the answer that says why. Here the rest is read and dropped.
 */
export function bodyOf(incoming: IncomingMessage): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    start(controller) {
      incoming.pause();
      incoming.on("data", (chunk: Buffer<ArrayBuffer>) => {
        controller.enqueue(chunk);
        if ((controller.desiredSize ?? 0) <= 0) incoming.pause();
      });
      incoming.on("end", () => controller.close());
      incoming.on("error", (error) => controller.error(error));
    },
    pull() {
      incoming.resume();
    },
    cancel() {
      incoming.removeAllListeners("data").removeAllListeners("end");
      incoming.resume();
    },
  });
}
