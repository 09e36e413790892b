import type { ActContext } from "../options.ts";
import type { ObservedAct } from "./observations.ts";
import type { StoryRun } from "./story-run.ts";

/** What customers choose where an act reads it. */
export type ChosenValues = Pick<ActContext, "amount" | "quantity">;

/** In all stories but those about prices and stock. */
const USUAL: ChosenValues = { amount: 50_000, quantity: 1 };

/** The price and the number that each customer of a story chooses. They stay the same for an order. */
export class ValuesOfCustomers {
  readonly #run: StoryRun;
  readonly #byId = new Map<string, ChosenValues>();

  constructor(run: StoryRun) {
    this.#run = run;
  }

  /** Chooses for the customer of an order, unless that customer has chosen before. */
  choose(id: string, values: readonly (Partial<ChosenValues> | undefined)[]): void {
    if (!this.#byId.has(id)) this.#byId.set(id, Object.assign({ ...USUAL }, ...values) as ChosenValues);
  }

  /** Adds the values to what an act gets, and notes which of them it reads. */
  addTo(context: Omit<ActContext, keyof ChosenValues>, observed: ObservedAct): ActContext {
    const { reads } = this.#run.seen;
    const values = this.#byId.get(context.id) ?? USUAL;
    const read = (name: keyof ChosenValues): number => {
      reads.add(`${observed.act} ${name}`);
      observed.chosen = { ...observed.chosen, [name]: values[name] };
      return values[name];
    };
    return Object.defineProperties(context, {
      amount: { enumerable: true, get: () => read("amount") },
      quantity: { enumerable: true, get: () => read("quantity") },
    }) as ActContext;
  }
}

/** Returns how many pieces of what is ordered are left in the merchant's stock; at least 1. */
export function leftInStock({ seen, options }: Pick<StoryRun, "seen" | "options">): number {
  const { unitsOfStock = {} } = options.running;
  const stock = Object.entries(seen.readings.at(-1)?.books.stock ?? {});
  const pieces = stock.flatMap(([item, left]) => {
    const unit = unitsOfStock[item] ?? 1;
    return unit > 0 ? [Math.floor(left / unit)] : [];
  });
  return pieces.length === 0 ? 1 : Math.max(1, Math.min(...pieces));
}
