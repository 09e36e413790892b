import type { ReadOptions } from "./read-options.ts";
import type { Trouble } from "./troubles/trouble.ts";

/** Whether a trouble can strike a merchant. */
export type IsPossible = (trouble: Trouble) => boolean;

/** Returns which troubles can strike a merchant: it may lack an act, jobs, or a store that two programs can use at once. */
export function possibleFor({ acts, jobs = [], storage }: Pick<ReadOptions, "acts" | "jobs" | "storage">): IsPossible {
  return ({ needsAct, repeatsJobs, secondProgram, deploys }) => {
    if (needsAct !== undefined && acts[needsAct] === undefined) return false;
    if (repeatsJobs === true && jobs.length === 0) return false;
    return storage.takesTwoPrograms || (secondProgram === undefined && deploys !== true);
  };
}
