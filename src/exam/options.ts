import type { DurationLike } from "../kit/engine/duration.ts";
import type { MerchantApp } from "../kit/receivers/merchant-app.ts";
import type { Visit } from "../kit/receivers/visit.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import type { Law, LawSetting } from "./laws/law.ts";
import type { MerchantOpening } from "../merchant/process/start-merchant.ts";
import type { StoreAdapter } from "../merchant/process/store.ts";

/**
 * What the merchant's program gets when it starts. The program must reach the outside world through these alone, so
 * that the exam can break any of it.
 */
export interface Opening<Store = Map<string, unknown>> extends MerchantOpening<Store> {
  /** Returns the virtual time, as `new Date()` and `Date.now()` also do. */
  readonly now: () => Date;
  /** Returns an `AbortSignal` that aborts after a duration of virtual time, like `AbortSignal.timeout`. A number is in milliseconds. */
  readonly timeout: (duration: DurationLike | number) => AbortSignal;
  /** Resolves after a duration of virtual time. A number is in milliseconds. */
  readonly sleep: (duration: DurationLike | number) => Promise<void>;
}

/** What an act of a customer gets. */
export interface ActContext {
  /** Calls the merchant's app: `visit("POST", "/orders", { id })`, as `sim.visit` does. */
  readonly visit: Visit;
  /** What the customer orders or joins: `order-1`, `member-1`. Within a story, the same id means the same order or membership. */
  readonly id: string;
  /** The payment method that the customer uses, such as `pm_card_approved`. */
  readonly method: string;
  /** The plan to join or to change to: one of the option `plans`. */
  readonly plan: string;
  /**
   * The price of one piece, in centavos: 50000, or another where the exam tries prices. Read it only if your customers choose what they pay,
   * as with a donation or a top-up: the order's price in your books is then `amount` times `quantity`.
   */
  readonly amount: number;
  /** How many pieces are ordered: 1, or another where the exam tries the edge of your stock. Read it only if your customers choose how many. */
  readonly quantity: number;
  readonly customer: { readonly name: string; readonly email: string; readonly phone: string };
  /** What this customer's browser remembers during the story, such as an id that the shop chose. */
  readonly notes: Map<string, unknown>;
}

/** What a customer does through the merchant's own routes. If the answer leads to a page of the service, the customer goes there. */
export type Act = (context: ActContext) => Promise<Response> | Response;

/** What customers can do. Every act is optional: the exam plays the flows whose acts are all given. */
export interface Acts {
  /** Orders, and pays with `method`. */
  readonly order?: Act;
  /** Pays the same order again after an attempt that failed, or seemed to. */
  readonly payAgain?: Act;
  /** Orders and goes to the hosted checkout. */
  readonly checkout?: Act;
  /** Changes an order so that its price changes. */
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

/** An order in the merchant's books. Several rows with one id count as one order, whose fulfilments and refunds are added up. */
export interface OrderInBooks {
  readonly id: string;
  /** The merchant's own word, such as `paid` or `pending`. */
  readonly status: string;
  /** How often it was shipped or handed over. */
  readonly fulfilments: number;
  /** Its price in centavos. */
  readonly amount: number;
  /** The refund in centavos; true means the whole payment. */
  readonly refunded?: number | boolean | null | undefined;
}

/** A membership in the merchant's books. */
export interface MembershipInBooks {
  readonly id: string;
  readonly hasAccess: boolean;
  /** The end of the paid period, as anything that `new Date` accepts. Not judged if it is missing or null. */
  readonly paidUntil?: string | number | Date | null | undefined;
  /** The merchant's own name for the plan that the member has, not of one that begins later. Not judged if it is missing or null. */
  readonly plan?: string | null | undefined;
}

/** What the merchant believes. Parts that are left out are not judged, and the verdict says so. */
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

/** Work that the merchant does on a schedule. */
export interface Job {
  readonly every: DurationLike;
  readonly run: (context: { readonly visit: Visit }) => unknown;
}

/** Choices that are up to the merchant, so that no law treats them as mistakes. */
export interface Policy {
  /** Whether a membership with this status has access. For a status that is left out, the service decides. */
  readonly access?: {
    readonly incomplete?: boolean;
    readonly past_due?: boolean;
    readonly unpaid?: boolean;
    /** `"until period end"`: access lasts until the end of the paid period and no longer. `true`: at least until then. */
    readonly cancelled?: boolean | "until period end";
    readonly incomplete_cancelled?: boolean;
  };
}

/**
 * When the search ends. The first limit that is reached counts. Without `seconds` and `stories`, it plays 300 stories, or more if its first
 * round takes more: each flow once, and each kind of trouble once at each kind of place. A search that ends before is unfinished.
 */
export interface Budget {
  /** How long to search, in seconds of real time. How many stories that makes depends on the machine. */
  readonly seconds?: number;
  /** How many stories to play. The verdict is then the same on every machine. */
  readonly stories?: number;
  /** How many broken laws to find; all by default. */
  readonly failures?: number;
}

/** One part of a search that several machines share: of every `of` stories, it plays the one at `index`. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly of: number;
}

/** The options of `exam`. */
export interface ExamOptions<Store = Map<string, unknown>> {
  /** Starts the merchant's program, and returns its app as `sim.connect` takes it. Called again after each crash, with the same store. */
  readonly open: (opening: Opening<Store>) => MerchantApp | Promise<MerchantApp>;
  readonly acts: Acts;
  /** Returns what the merchant believes. It must not change anything. */
  readonly books: (context: BooksContext<Store>) => Books | Promise<Books>;
  readonly jobs?: readonly Job[];
  readonly policy?: Policy;
  /** Laws by name: `"off"`, `"warn"`, or a law of your own. A law that has `reached` is told as never reached if no story gave it a chance. */
  readonly laws?: Readonly<Record<string, LawSetting | Law>>;
  /** Decides all ids and the order of the stories; `1` by default. */
  readonly seed?: number | string;
  /** By default, 300 stories or the whole first round, whichever is more. */
  readonly budget?: Budget;
  /** What outlives the program: plain data, which is copied for each story, or a database adapter. An empty `Map` by default. */
  readonly store?: Store | StoreAdapter<Store>;
  /** How much virtual time each call takes to a database that answers asynchronously; none by default. A number is in milliseconds. */
  readonly storeDelay?: DurationLike | number;
  /** The plans that members join and change to, in the merchant's words; `["basic", "plus"]` by default. */
  readonly plans?: readonly [string, string];
  /**
   * The path of the merchant's app for events without a `webhookUrl` of their own, such as `"/hooks"`. Without it, such
   * events are not sent.
   */
  readonly webhookPath?: string;
  /** Also answers calls through clients other than the given `fetch`, such as axios or the global `fetch`. */
  readonly intercept?: boolean;
  /** Assumptions of the service, as `createSimulator` takes them. */
  readonly assumptions?: AssumptionOverrides;
  /**
   * The longest wait for something that happens in real time, such as the work of a database, in seconds; 60 by default. The exam is then
   * unfinished, and no law is broken. A loop of the merchant that does not yield for so long, or for 10 seconds, is a broken law.
   */
  readonly longestWait?: number;
  /** The token of a failure. The exam plays only its story. */
  readonly replay?: string;
  /** Searches only one part of the stories. */
  readonly shard?: Shard;
}
