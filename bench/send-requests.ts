/** A child process that keeps connections to a server busy: each sends its next request once it has the answer to the last. */
import { Pool } from "undici";
import { answerParent } from "./child.ts";
import { intentFlow } from "./flow.ts";
import type { Send } from "./flow.ts";

export interface SendingQuestion {
  readonly url: string;
  readonly token: string;
  readonly connections: number;
  /** How many flows each connection runs. */
  readonly flows: number;
}

/** What the clients saw, in real time. */
export interface SendingFigures {
  readonly requestsASecond: number;
  /** The milliseconds in which 99 of 100 requests were answered. */
  readonly p99: number;
}

let pool: Pool | undefined;

answerParent(async (question): Promise<SendingFigures> => {
  const { url, token, connections, flows } = question as SendingQuestion;
  pool ??= new Pool(url, { connections });
  const used = pool;
  const waits: number[] = [];
  const send: Send = async (target, { method = "GET", headers, body }) => {
    const path = target.slice(url.length);
    const start = performance.now();
    const answer = await used.request({
      path,
      method,
      headers: headers as Record<string, string>,
      body: (body as string | undefined) ?? null,
    });
    const text = await answer.body.text();
    waits.push(performance.now() - start);
    return new Response(text, { status: answer.statusCode });
  };
  const flow = intentFlow(send, url, token);
  const lane = async (): Promise<void> => {
    for (let index = 0; index < flows; index += 1) await flow.run();
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, lane));
  const seconds = (performance.now() - start) / 1000;
  return {
    requestsASecond: waits.length / seconds,
    p99: waits.toSorted((left, right) => left - right)[Math.floor(waits.length * 0.99)] as number,
  };
});
