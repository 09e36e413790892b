import type { ExamOptions } from "centavo/exam";
import { askingHouse } from "./asking-house.ts";
import { club } from "./club.ts";
import { pollingShop } from "./polling-shop.ts";
import { queueingShop } from "./queueing-shop.ts";
import { refundingShop } from "./refunding-shop.ts";
import { ticketOffice } from "./ticket-office.ts";

/** Shops that are right, each in its own way. */
export const shops = {
  "polls in place of listening": any(pollingShop),
  "queues events and works them off": any(queueingShop),
  "refunds what it cannot deliver": any(refundingShop),
  "sells on the hosted page alone": any(ticketOffice),
} as const;

/** Clubs that are right. The first sells books, too. */
export const clubs = {
  "asks the service whenever anybody pings": any(askingHouse),
  "lets members in by the newest event": any(club),
} as const;

/** What a merchant stores is its own affair. */
function any<Store>(merchant: ExamOptions<Store>): ExamOptions<unknown> {
  return merchant as unknown as ExamOptions<unknown>;
}
