import type { ExamOptions } from "centavo/exam";
import { askingHouse } from "./asking-house.ts";
import { club } from "./club.ts";
import { doubledShop } from "./doubled-shop.ts";
import { leasingClub } from "./leasing-club.ts";
import { listingShop } from "./listing-shop.ts";
import { pollingShop } from "./polling-shop.ts";
import { queueingShop } from "./queueing-shop.ts";
import { refundingShop } from "./refunding-shop.ts";
import { ticketOffice } from "./ticket-office.ts";
import { workingShop } from "./working-shop.ts";

/** Shops that are right, each in its own way. */
export const shops = {
  "polls in place of listening": any(pollingShop),
  "queues events and works them off": any(queueingShop),
  "refunds what it cannot deliver": any(refundingShop),
  "sells on the hosted page alone": any(ticketOffice),
  "has a worker that sleeps until it is woken": any(workingShop),
  "turns the pages of the service's lists every night": any(listingShop),
  "runs as several programs, of which one packs": any(doubledShop),
} as const;

/** Clubs that are right. The first sells books, too. */
export const clubs = {
  "asks the service whenever anybody pings": any(askingHouse),
  "lets members in by the newest event": any(club),
  "runs as several instances, which take leases of its members": any(leasingClub),
} as const;

/** Every merchant above. */
export const merchants = { ...shops, ...clubs } as const;

/** For each law, a merchant that follows its remedy to the letter. */
export const keepers: Readonly<Record<string, keyof typeof merchants>> = {
  "paid-before-fulfilled": "sells on the hosted page alone",
  "fulfilled-once": "has a worker that sleeps until it is woken",
  "charged-once": "turns the pages of the service's lists every night",
  "given-back-once": "refunds what it cannot deliver",
  "paid-and-fulfilled": "has a worker that sleeps until it is woken",
  "status-agrees": "queues events and works them off",
  "never-oversold": "refunds what it cannot deliver",
  "stock-freed": "refunds what it cannot deliver",
  "paid-before-access": "runs as several instances, which take leases of its members",
  "access-agrees": "lets members in by the newest event",
  "access-lasts": "runs as several instances, which take leases of its members",
  "paid-until-agrees": "lets members in by the newest event",
  "plan-agrees": "asks the service whenever anybody pings",
  "subscribed-once": "runs as several instances, which take leases of its members",
  "leaves-for-good": "lets members in by the newest event",
  "charged-as-asked": "has a worker that sleeps until it is woken",
  "ordered-before-fulfilled": "queues events and works them off",
  "cancelled-as-asked": "lets members in by the newest event",
  "acts-on-what-it-was-told": "queues events and works them off",
  "told-the-truth": "polls in place of listening",
  "led-to-the-challenge": "polls in place of listening",
  "led-to-an-open-page": "sells on the hosted page alone",
  "good-card-is-served": "polls in place of listening",
  "takes-every-event": "has a worker that sleeps until it is woken",
  "answers-in-time": "queues events and works them off",
  "forged-changes-nothing": "turns the pages of the service's lists every night",
  "refuses-forgeries": "sells on the hosted page alone",
  "no-storm-of-calls": "refunds what it cannot deliver",
  "no-storm-of-tokens": "lets members in by the newest event",
  "jobs-go-on": "runs as several instances, which take leases of its members",
  "no-crash": "has a worker that sleeps until it is woken",
  "secrets-stay": "turns the pages of the service's lists every night",
  "nothing-waits-for-ever": "polls in place of listening",
};

/** What a merchant stores is its own affair. */
function any<Store>(merchant: ExamOptions<Store>): ExamOptions<unknown> {
  return merchant as unknown as ExamOptions<unknown>;
}
