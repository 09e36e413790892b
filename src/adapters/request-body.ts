import type { IncomingMessage } from "node:http";

/**
 * Returns the body of a request as a web stream with back-pressure.
 *
 * `Readable.toWeb` does not fit: when the reader stops early, as for a body over the limit, it destroys the connection, and the answer
 * that says why is lost. This stream reads the rest and drops it.
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
