export interface Order {
  readonly id: string;
  readonly amount: number;
  status: string;
  parcels: number;
  session?: { readonly sessionToken: string; readonly checkoutUrl: string };
}

export interface Membership {
  readonly id: string;
  readonly plan: string;
  status: string;
  subscription?: { readonly id: string };
  paidUntil?: string;
}

/** What outlives the program. A real shop has a database here. */
export class Store {
  readonly orders = new Map<string, Order>();
  readonly memberships = new Map<string, Membership>();
}

/** Centavos a month. */
export const plans: Readonly<Record<string, number>> = { reader: 19_900, scholar: 49_900 };

/** A failed renewal is tried again for three days, and the member may read meanwhile. */
export const mayRead = ({ status }: Pick<Membership, "status">): boolean =>
  status === "active" || status === "past_due";
