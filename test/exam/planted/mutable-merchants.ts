const honest = "test/exam/honest";

/** Merchants that are right, in which bugs are planted: their folder, the file with the options of their exam, and the name of its export. */
export const mutableMerchants = {
  "the example shop": { folder: "examples/express-shop", exam: "shop.exam.ts", options: "default" },
  "the club": { folder: honest, exam: "club.ts", options: "club" },
  "the shop that queues": { folder: honest, exam: "queueing-shop.ts", options: "queueingShop" },
  "the shop that refunds": { folder: honest, exam: "refunding-shop.ts", options: "refundingShop" },
  "the shop with a worker": { folder: honest, exam: "working-shop.ts", options: "workingShop" },
  "the shop that lists": { folder: honest, exam: "listing-shop.ts", options: "listingShop" },
  "the club with leases": { folder: honest, exam: "leasing-club.ts", options: "leasingClub" },
  "the ticket office": { folder: honest, exam: "ticket-office.ts", options: "ticketOffice" },
  "the doubled shop": { folder: honest, exam: "doubled-shop.ts", options: "doubledShop" },
} as const;

export type MutableMerchant = keyof typeof mutableMerchants;
