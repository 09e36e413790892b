import type { RawAnswer } from "../../kit/http/route.ts";

/**
 * Ends the body of an answer when a browser signs out.
 * @param session ends then; undefined for a call with the control token
 */
export function untilSignedOut<Answer extends RawAnswer | Response>(
  answer: Answer,
  session: AbortSignal | undefined,
): Answer | Response {
  if (session === undefined || !(answer instanceof Response) || answer.body === null) return answer;
  const reader = answer.body.getReader();
  const signOut = (): void => void reader.cancel();
  session.addEventListener("abort", signOut);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read();
      if (!done) return controller.enqueue(value);
      session.removeEventListener("abort", signOut);
      controller.close();
    },
    cancel(reason) {
      session.removeEventListener("abort", signOut);
      return reader.cancel(reason);
    },
  });
  return new Response(body, answer);
}
