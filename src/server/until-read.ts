import type { RawAnswer } from "../kit/http/route.ts";

/**
 * Answers, and calls back once nothing more of the answer will be read: its client has all of it or has left. A stream may end long after
 * the answer has begun.
 * @param done called once
 */
export async function untilRead(
  request: Request,
  done: () => void,
  answer: () => Promise<RawAnswer | Response>,
): Promise<RawAnswer | Response> {
  let isDone = false;
  // It also holds the request, without which its signal would not be aborted.
  const end = (): void => {
    request.signal.removeEventListener("abort", end);
    if (!isDone) done();
    isDone = true;
  };
  request.signal.addEventListener("abort", end);
  try {
    const answered = await answer();
    if (answered instanceof Response && answered.body !== null)
      return new Response(watched(answered.body.getReader(), end), answered);
    end();
    return answered;
  } catch (error) {
    end();
    throw error;
  }
}

function watched(reader: ReadableStreamDefaultReader<Uint8Array>, end: () => void): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const chunk = await reader.read().catch((error: unknown) => {
        end();
        throw error;
      });
      if (!chunk.done) return controller.enqueue(chunk.value);
      end();
      controller.close();
    },
    cancel(reason) {
      end();
      return reader.cancel(reason);
    },
  });
}
