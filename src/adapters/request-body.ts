import type { IncomingMessage } from "node:http";

/**
 * Returns the body of a request as a web stream with back-pressure. `Readable.toWeb` would not do: when the reader stops early, such as at
 * the size limit, it destroys the connection, and the answer that explains why is lost. This stream reads the rest and drops it.
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
