import type { RawAnswer } from "../kit/http/route.ts";

/**
 * Answers, and calls back once nothing more of the answer will be read. A stream may end long after the answer has begun.
 * @param done called once
 */
export async function untilRead(
  done: () => void,
  answer: () => Promise<RawAnswer | Response>,
): Promise<RawAnswer | Response> {
  let answered: RawAnswer | Response | undefined;
  try {
    answered = await answer();
    if (!(answered instanceof Response) || answered.body === null) return answered;
    const { status, statusText, headers, body } = answered;
    const reader = body.getReader();
    let isDone = false;
    const end = (): void => {
      if (!isDone) done();
      isDone = true;
    };
    const watched = new ReadableStream<Uint8Array>({
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
    return new Response(watched, { status, statusText, headers });
  } finally {
    if (!(answered instanceof Response) || answered.body === null) done();
  }
}
