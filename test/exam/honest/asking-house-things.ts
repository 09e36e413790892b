import type { SubscriptionView } from "centavo/client";
import type { Books } from "centavo/exam";

/** What a status of the payment makes of an order. Every other status leaves the order as it is. */
const MOVES = {
  requires_action: { ordered: "with the bank" },
  processing: { ordered: "with the bank" },
  succeeded: { ordered: "paid", "with the bank": "paid", refused: "paid" },
  failed: { ordered: "refused", "with the bank": "refused" },
  canceled: { ordered: "refused", "with the bank": "refused" },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<State, State>>>>>;

type State = "ordered" | "with the bank" | "refused" | "paid";

export interface Order {
  readonly kind: "order";
  readonly id: string;
  state: State;
  parcels: number;
  /** Which try to pay this is; a new one begins when the last was refused. */
  round: number;
  intent?: string;
}

export interface Member {
  readonly kind: "member";
  readonly id: string;
  round: number;
  subscription?: string;
  known?: Pick<SubscriptionView, "status" | "updatedAt" | "currentPeriodEnd"> & { readonly plan: string };
}

export type Store = Map<string, Order | Member>;

/** In centavos. */
export const PRICE = 129_900;
const OPEN = new Set(["active", "past_due"]);

/** Whether a member may read. */
export const isOpen = ({ known }: Member): boolean => OPEN.has(known?.status ?? "");

/** Moves an order to where the status of its payment leads, if that is anywhere. */
export function move(order: Order, status: string): void {
  const next = (MOVES as Readonly<Record<string, Readonly<Partial<Record<State, State>>>>>)[status]?.[order.state];
  if (next === undefined) return;
  order.state = next;
  if (next === "paid") order.parcels += 1;
}

/** Returns what the house believes. */
export function booksOf(store: Store): Books {
  const things = [...store.values()];
  return {
    orders: things.flatMap((thing) =>
      thing.kind === "order" ? [{ id: thing.id, status: thing.state, fulfilments: thing.parcels, amount: PRICE }] : [],
    ),
    memberships: things.flatMap((thing) => {
      if (thing.kind === "order") return [];
      const { plan = "", currentPeriodEnd } = thing.known ?? {};
      const paid = currentPeriodEnd === undefined ? {} : { paidUntil: currentPeriodEnd };
      return [{ id: thing.id, hasAccess: isOpen(thing), plan, ...paid }];
    }),
  };
}
