import type { AssumptionOverrides, AssumptionValue, ChangeableAssumptionId, Simulator } from "centavo";
import { Merchant } from "../merchant.ts";
import type { Answer } from "../merchant/answers.ts";

/** A merchant in a world with one assumption changed. */
export interface Shop {
  readonly assumptions: AssumptionOverrides;
  readonly sim: Simulator;
  readonly post: (path: string, body?: unknown) => Promise<Answer>;
}

/** What a merchant sees of an assumption. */
export interface Case<Value> {
  readonly look: (shop: Shop) => Promise<unknown>;
  /** What it sees with each of these values, first with the default. */
  readonly sees: readonly (readonly [value: Value, seen: unknown])[];
}

/** The cases of assumptions. */
export type CasesOf<Id extends ChangeableAssumptionId> = { readonly [Each in Id]: Case<AssumptionValue<Each>> };

/** A merchant whose app takes every webhook. */
export async function merchantOf({ sim }: Shop): Promise<Merchant> {
  const merchant = await Merchant.of(sim);
  merchant.connect();
  return merchant;
}
