import { declineCodes } from "../service/decline-codes.ts";
import { paymentService } from "../service/service.ts";
import { testMethods } from "../service/test-methods.ts";

/** The words of a service that say where a payment stands, whatever the shape of the document that has them. */
const words = new Set<string>([
  "pending",
  ...paymentService.resources.flatMap(({ lifecycles }) =>
    lifecycles.flatMap(({ status }): readonly string[] => status.options),
  ),
  ...declineCodes,
  ...testMethods.map(({ kind }) => kind),
]);
const DIFFERENT_CLASS = 100;

/** What an answer or an event says of where a payment stands. */
export interface Gist {
  readonly isError: boolean;
  readonly words: ReadonlySet<string>;
}

/** Returns the gist of an answer; of an event without a status. */
export function gistOf(document: unknown, status = 200): Gist {
  const found = new Set<string>();
  gather(document);
  return { isError: status >= 400, words: found };

  function gather(value: unknown): void {
    if (typeof value === "string" && words.has(value)) found.add(value);
    else if (typeof value === "object" && value !== null) for (const part of Object.values(value)) gather(part);
  }
}

/** How far two gists are apart; 0 where they say the same. */
export function distanceOf(left: Gist, right: Gist): number {
  if (left.isError !== right.isError) return DIFFERENT_CLASS;
  // How an error is told is a matter of its shape.
  if (left.isError) return 0;
  const onlyLeft = [...left.words].filter((word) => !right.words.has(word));
  const onlyRight = [...right.words].filter((word) => !left.words.has(word));
  return onlyLeft.length + onlyRight.length;
}
