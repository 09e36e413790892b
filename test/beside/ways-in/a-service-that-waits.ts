import type { Service } from "../../../src/kit/http/callable-service.ts";

/** A service that answers its calls once the test says so. */
export function serviceThatWaits(base: string): Service & {
  /** Settles when the first call has arrived. */
  readonly arrival: Promise<void>;
  readonly answer: () => void;
} {
  const arrival = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<Response>();
  return {
    baseUrl: base,
    authUrl: base,
    fetch: async () => {
      arrival.resolve();
      return answer.promise;
    },
    arrival: arrival.promise,
    answer: () => answer.resolve(new Response()),
  };
}
