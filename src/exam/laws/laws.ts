import { askedLaws } from "./asked.ts";
import { conductLaws } from "./conduct.ts";
import { eventLaws } from "./events.ts";
import { forgeryLaws } from "./forgeries.ts";
import type { LawOfTheExam } from "./law.ts";
import { membershipLaws } from "./memberships.ts";
import { orderLaws } from "./orders.ts";
import { servedLaws } from "./served.ts";
import { stormLaws } from "./storms.ts";
import { toldLaws } from "./told.ts";

/** Every law of the exam, in the order of a verdict. */
export const laws: readonly LawOfTheExam[] = [
  ...orderLaws,
  ...membershipLaws,
  ...askedLaws,
  ...toldLaws,
  ...servedLaws,
  ...eventLaws,
  ...forgeryLaws,
  ...stormLaws,
  ...conductLaws,
];
