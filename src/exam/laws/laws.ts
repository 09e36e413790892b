import { conductLaws } from "./conduct.ts";
import type { LawOfTheExam } from "./law.ts";
import { membershipLaws } from "./memberships.ts";
import { orderLaws } from "./orders.ts";
import { servedLaws } from "./served.ts";
import { toldLaws } from "./told.ts";

/** Every law that the exam judges by, in the order in which a verdict names them. */
export const laws: readonly LawOfTheExam[] = [
  ...orderLaws,
  ...membershipLaws,
  ...toldLaws,
  ...servedLaws,
  ...conductLaws,
];
