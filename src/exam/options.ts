import type { DurationLike } from "../kit/engine/duration.ts";
import type { MerchantApp } from "../kit/receivers/merchant-app.ts";
import type { Visit } from "../kit/receivers/visit.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import type { Law, LawSetting } from "./laws/law.ts";
import type { MerchantOpening } from "../merchant/process/start-merchant.ts";
import type { StoreAdapter } from "../merchant/process/store.ts";

/** What a merchant's program gets when it starts. Everything that it does goes through these, so that the exam can break any of it. */
export interface Opening<Store = Map<string, unknown>> extends MerchantOpening<Store> {
  /** The virtual time. `new Date()` and `Date.now()` follow it, too. */
  readonly now: () => Date;
  /** An `AbortSignal` that aborts after so many milliseconds of virtual time, like `AbortSignal.timeout`. */
  readonly timeout: (duration: DurationLike | number) => AbortSignal;
  /** Resolves after so many milliseconds of virtual time. */
  readonly sleep: (duration: DurationLike | number) => Promise<void>;
}

/** What an act of a customer gets. */
export interface ActContext {
  /** Calls the merchant's app: `visit("POST", "/orders", { id })`, as `sim.visit` does. */
  readonly visit: Visit;
  /** What the customer orders or joins, chosen by the exam: `order-1`, `member-1`. The same id in one story means the same thing. */
  readonly id: string;
  /** The payment method that the customer uses, such as `pm_card_approved`. */
  readonly method: string;
  /** The plan to join or to change to: one of the option `plans`. */
  readonly plan: string;
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string };
  /** What this customer's browser remembers during the story, such as an id that the shop chose. */
  readonly notes: Map<string, unknown>;
}

/** What a customer does, through the merchant's own routes. The customer follows the answer where it leads to a page of the service. */
export type Act = (context: ActContext) => Promise<Response> | Response;

/** What customers can do. Each act is optional: the exam plays the flows for which it has all acts. */
export interface Acts {
  /** Orders and pays with `method`. */
  readonly order?: Act;
  /** Pays the same order again, after a first try failed or seemed to. */
  readonly payAgain?: Act;
  /** Orders and goes to the hosted checkout. */
  readonly checkout?: Act;
  /** Changes an order so that it costs something else. */
  readonly changeCart?: Act;
  /** Looks at an order or membership. */
  readonly look?: Act;
  /** Begins a membership of `plan`, paid with `method`. */
  readonly join?: Act;
  /** Gives a membership another card. */
  readonly changeCard?: Act;
  /** Changes the plan of a membership. */
  readonly changePlan?: Act;
  /** Ends a membership. */
  readonly leave?: Act;
}

export type ActName = keyof Acts;

/** Every act that customers can do. */
export const actNames = [
  "order",
  "payAgain",
  "checkout",
  "changeCart",
  "look",
  "join",
  "changeCard",
  "changePlan",
  "leave",
] as const satisfies readonly ActName[];

/** An order in the merchant's books. */
export interface OrderInBooks {
  readonly id: string;
  /** In the merchant's own word, such as `paid` or `pending`. */
  readonly status: string;
  /** How often it was handed over or shipped. */
  readonly fulfilments: number;
  /** Its price in centavos. */
  readonly amount: number;
  /** What was given back, in centavos; true means all. */
  readonly refunded?: number | boolean;
}

/** A membership in the merchant's books. */
export interface MembershipInBooks {
  readonly id: string;
  readonly hasAccess: boolean;
  /** The end of what was paid for: anything that `new Date` takes. Not judged when it is left out or null. */
  readonly paidUntil?: string | number | Date | null | undefined;
  /** In the merchant's own word. */
  readonly plan?: string | null | undefined;
}

/** What the merchant believes. What is left out is not judged, and the verdict says so. */
export interface Books {
  readonly orders?: readonly OrderInBooks[];
  readonly memberships?: readonly MembershipInBooks[];
  /** How many of each item are left. */
  readonly stock?: Readonly<Record<string, number>>;
}

/** What `books` gets. */
export interface BooksContext<Store> {
  readonly visit: Visit;
  readonly store: Store;
  /** The ids that customers have used so far in this story. */
  readonly ids: readonly string[];
}

/** Work that the merchant does unasked, on a schedule. */
export interface Job {
  readonly every: DurationLike;
  readonly run: (context: { readonly visit: Visit }) => unknown;
}

/** The merchant's own choices, which no law may take for a mistake. */
export interface Policy {
  /** Whether a membership of this status has access. For a status that is left out, the service decides. */
  readonly access?: {
    readonly incomplete?: boolean;
    readonly past_due?: boolean;
    readonly unpaid?: boolean;
    /** `"until period end"`: up to the end of the period that is paid for, and no longer. `true`: at least up to it. */
    readonly cancelled?: boolean | "until period end";
    readonly incomplete_cancelled?: boolean;
  };
}

/** When the search ends: whichever comes first. */
export interface Budget {
  /** How long to search, in seconds of real time; 10 by default, unless `stories` is given. */
  readonly seconds?: number;
  /** How many stories to play. The verdict is then the same on every machine. */
  readonly stories?: number;
  /** How many broken laws to find; all by default. */
  readonly failures?: number;
}

/** A part of a search that is split over several machines: of every `of` stories, the one at the place `index`. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** The options of `exam`. */
export interface ExamOptions<Store = Map<string, unknown>> {
  /** Starts the merchant's program and returns its app, as `sim.connect` takes it. Called again after each crash, with the same store. */
  readonly open: (opening: Opening<Store>) => MerchantApp | Promise<MerchantApp>;
  readonly acts: Acts;
  /** Reads what the merchant believes. It must not change anything. */
  readonly books: (context: BooksContext<Store>) => Books | Promise<Books>;
  readonly jobs?: readonly Job[];
  readonly policy?: Policy;
  /** Laws by name: `"off"`, `"warn"`, or a law of your own. */
  readonly laws?: Readonly<Record<string, LawSetting | Law>>;
  /** Decides every id and the order of stories; `1` by default. */
  readonly seed?: number | string;
  /** `{ seconds: 10 }` by default. */
  readonly budget?: Budget;
  /** What outlives the program: a value, of which each story gets a copy, or an adapter of a database; an empty `Map` by default. */
  readonly store?: Store | StoreAdapter<Store>;
  /** The plans that members join and change to, in the merchant's words; `["basic", "plus"]` by default. */
  readonly plans?: readonly [string, string];
  /**
   * The path of the merchant's app to which events go that name no address of their own, such as `"/hooks"`. Without it, such an event reaches
   * nobody.
   */
  readonly webhookPath?: string;
  /** Also answers calls that go through another client than the given `fetch`, such as axios or the global `fetch`. */
  readonly intercept?: boolean;
  /** Values of assumptions of the service, as `createSimulator` takes them. */
  readonly assumptions?: AssumptionOverrides;
  /** Plays only this story: the token of a failure. */
  readonly replay?: string;
  /** Searches only a part of the stories. */
  readonly shard?: Shard;
}
