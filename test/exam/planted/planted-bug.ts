import type { MutableMerchant } from "./mutable-merchants.ts";

/** A bug that merchants have shipped, as a change of one place of a merchant that is right. */
export interface PlantedBug {
  readonly name: string;
  /** The merchant in whose code it is planted; `the example shop` by default. */
  readonly merchant?: MutableMerchant;
  /** The file of the merchant's folder. */
  readonly file: string;
  /** The text that is replaced. It is there once. */
  readonly find: string;
  readonly replace: string;
  /** The laws that it breaks, of which the exam names one first. */
  readonly laws: readonly string[];
  /** The misunderstanding that the exam has to name, where a law has several. */
  readonly misunderstanding?: string;
  /** The public thread that reports such a bug. */
  readonly source?: {
    readonly url: string;
    /** What happened there, in one sentence. */
    readonly what: string;
  };
}
