import type { Cause, Finding } from "./cause.ts";
import { weights } from "./cause.ts";
import { deliveryCauses } from "./deliveries.ts";
import type { Clues } from "./clues.ts";
import { expiryCauses } from "./expiries.ts";
import { faultCauses } from "./faults.ts";
import { lookupCauses } from "./lookups.ts";
import { methodCauses } from "./methods.ts";
import { networkCauses } from "./network.ts";
import { paymentCauses } from "./payments.ts";
import { signatureCauses } from "./signatures.ts";
import { timeCauses } from "./time.ts";
import { unawaitedCauses } from "./unawaited.ts";
import { wordCauses } from "./words.ts";

/** The causes by subject, as their page lists them. */
export const subjects: readonly { readonly title: string; readonly causes: readonly Cause[] }[] = [
  { title: "Requests that do not reach the simulator", causes: networkCauses },
  { title: "What nobody waits for", causes: unawaitedCauses },
  { title: "Virtual and real time", causes: [...timeCauses, ...expiryCauses] },
  { title: "Webhooks that are not accepted", causes: [...signatureCauses, ...deliveryCauses] },
  { title: "Answers that are misread", causes: [...lookupCauses, ...paymentCauses, ...methodCauses, ...wordCauses] },
  { title: "Faults, and the simulator itself", causes: faultCauses },
];

/** Every known cause of a failed test. Of several causes that fit equally well, the first is named first. */
export const causes: readonly Cause[] = subjects.flatMap((subject) => subject.causes);

export interface FoundCause extends Finding {
  readonly name: string;
}

/** Returns the causes that fit, best first: by weight, then by their order in the table. */
export function findCauses(clues: Clues): readonly FoundCause[] {
  const found = subjects.flatMap((subject) => {
    const ofSubject: FoundCause[] = [];
    for (const { name, isLastResort = false, find } of subject.causes) {
      const finding = isLastResort && ofSubject.length > 0 ? undefined : find(clues);
      if (finding !== undefined) ofSubject.push({ name, ...finding });
    }
    return ofSubject;
  });
  return found.toSorted((left, right) => weights.indexOf(left.weight) - weights.indexOf(right.weight));
}
