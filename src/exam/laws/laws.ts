import { conductLaws } from "./conduct.ts";
import type { LawOfTheExam } from "./law.ts";
import { membershipLaws } from "./memberships.ts";
import { orderLaws } from "./orders.ts";
import { servedLaws } from "./served.ts";
import { toldLaws } from "./told.ts";

/** Every law of the exam, in the order of a verdict. */
export const laws: readonly LawOfTheExam[] = [
  ...orderLaws,
  ...membershipLaws,
  ...toldLaws,
  ...servedLaws,
  ...conductLaws,
];
