import { ReplacedFunctions } from "./replaced-functions.ts";

/**
 * Calls back with each call of web crypto.
 * @param onCall returns the function to call when the call ends
 * @returns a function that ends the watch
 */
export function watchWebCrypto(onCall: (call: object) => () => void): () => void {
  const replaced = new ReplacedFunctions();
  const prototype = globalThis.SubtleCrypto?.prototype ?? {};
  for (const name of Object.keys(prototype)) {
    replaced.replace(prototype, name, (original) => {
      return function (this: unknown, ...given: never[]): unknown {
        const answer: unknown = Reflect.apply(original, this, given);
        // The caller gets the promise that knows of the end, so that a rejection which nobody handles stays one.
        return answer instanceof Promise ? answer.finally(onCall(answer)) : answer;
      };
    });
  }
  return () => replaced.restore();
}
