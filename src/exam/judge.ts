import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { merchantWork } from "../merchant/process/merchant-work.ts";
import type { Evidence } from "./evidence.ts";
import type { Breach, Law } from "./laws/law.ts";
import { joinLeftOut } from "./merge-verdicts.ts";
import type { Outcome } from "./run-story.ts";
import type { VerdictFacts } from "./verdict.ts";

/** Judges stories by laws, and notes what could not be judged. */
export class Judge {
  readonly #judged = new Set<string>();
  readonly #reached = new Set<string>();
  readonly #unjudged = new Map<string, string>();
  #leftOut: VerdictFacts["leftOut"] = {};
  /** How much stock one fulfilment takes, once that is known. */
  unitsOfStock: Evidence["unitsOfStock"] | undefined;

  get facts(): Pick<VerdictFacts, "unjudged" | "leftOut" | "neverReached"> {
    const unjudged = Object.fromEntries([...this.#unjudged].filter(([law]) => !this.#judged.has(law)));
    const neverReached = [...this.#judged].filter((law) => !this.#reached.has(law)).toSorted();
    return { unjudged, leftOut: this.#leftOut, neverReached };
  }

  /** Returns how a story breaks a law, or undefined. */
  breachOf(law: Law, { evidence }: Outcome): Breach | undefined {
    const { neverRests, unreadable } = evidence.seen;
    // A law about the end cannot judge a story that was broken off, nor books that could not be read.
    if ((neverRests || unreadable !== undefined) && law.holds === "in the end") return undefined;
    const facts = { ...evidence, unitsOfStock: this.unitsOfStock ?? {} };
    merchantWork.leavesFor(`the law ${law.name}`);
    const why = law.unjudged?.(facts);
    if (why !== undefined) {
      if (!this.#unjudged.has(law.name)) this.#unjudged.set(law.name, why);
      return undefined;
    }
    this.#judged.add(law.name);
    const leftOut = law.leavesOut?.(facts);
    if (leftOut !== undefined) this.#leftOut = joinLeftOut([this.#leftOut, { [law.name]: leftOut }]);
    const breach = firstBreach(law, facts);
    if (!this.#reached.has(law.name) && (breach !== undefined || isReached(law, facts))) this.#reached.add(law.name);
    return breach;
  }
}

/** @throws {CentavoError} `INVALID_OPTION` when a law of the merchant's own throws */
function isReached(law: Law, facts: Evidence): boolean {
  try {
    return law.reached?.(facts) !== false;
  } catch (error) {
    throw new CentavoError(
      "INVALID_OPTION",
      `exam: the function reached of the law ${law.name} threw: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** @throws {CentavoError} `INVALID_OPTION` when a law of the merchant's own throws, or returns something else than breaches */
function firstBreach(law: Law, facts: Evidence): Breach | undefined {
  let breaches: unknown;
  try {
    breaches = law.breaches(facts);
  } catch (error) {
    throw new CentavoError("INVALID_OPTION", `exam: the law ${law.name} threw: ${messageOf(error)}`, { cause: error });
  }
  const isRight = Array.isArray(breaches) && breaches.every((each: unknown) => isBreach(each));
  if (isRight) return (breaches as readonly Breach[])[0];
  throw new CentavoError(
    "INVALID_OPTION",
    `exam: breaches of the law ${law.name} returned ${inWords(breaches)}. It has to return a list of breaches, such as [{ what: "order-1 is lost" }], or an empty one.`,
  );
}

function isBreach(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("what" in value)) return false;
  const { what, misunderstanding = "", remedy = "" } = value as Partial<Record<keyof Breach, unknown>>;
  return [what, misunderstanding, remedy].every((text) => typeof text === "string");
}
