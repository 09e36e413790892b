/** Further details of an entry, such as the fields of a fault or the occasion on which it fired. */
type More = Readonly<Record<string, unknown>>;

/** A step of a resource: its input, and its states before and after. `from` is absent when the resource was created. */
type Step = {
  readonly resource: string;
  readonly id: string;
  readonly input: string;
  readonly from?: string;
  readonly to: string;
};

/** For entries that are true of one run only, the digest has no details. */
type NoDetails = Readonly<Record<string, never>>;

/**
 * Every kind of entry: its details, and in `volatile` what is true of one run only. The timeline has a line for each kind.
 * @typeParam Moment the type of virtual times: milliseconds since 1970 in a world, ISO 8601 text for people
 */
interface Kinds<Moment> {
  /** A call arrived. `route` is absent when no route matches, `query` and `body` when they are invalid. Secrets are redacted. */
  readonly request: {
    readonly details: {
      readonly method: string;
      readonly path: string;
      readonly route?: string;
      readonly caller?: string;
      readonly query?: unknown;
      readonly body?: unknown;
      readonly idempotencyKey?: string;
    };
  };
  /** The service answered a call. */
  readonly answer: {
    readonly details: {
      readonly route?: string;
      readonly status: number;
      /** The code of an error. */
      readonly code?: string;
      /** Whether this is the answer of an earlier call with the same `Idempotency-Key`. */
      readonly replayed?: boolean;
    };
    /** The message of a refusal, and the first fields that it names, such as `amount, contact.email and 2 more`. */
    readonly volatile: { readonly problem: string; readonly fields?: string };
  };
  /** A command made a resource or gave it an input. */
  readonly step: { readonly details: Step };
  /** A timer gave a resource an input. */
  readonly timer: { readonly details: Step };
  /** Something happened to a resource, and others may react to it. */
  readonly fact: { readonly details: { readonly type: string; readonly id: string } };
  /** An event was announced to a merchant, or was held back or dropped. */
  readonly webhook: {
    readonly details: {
      readonly event: string;
      readonly type: string;
      readonly status: string;
      readonly url?: string;
      /** When it will be sent, if later than now. */
      readonly due?: Moment;
      /** The fault that invented or dropped it. */
      readonly fault?: string;
    };
  };
  /** An attempt to deliver an event ended. */
  readonly delivery: {
    readonly details: {
      readonly event: string;
      readonly type: string;
      readonly url: string;
      /** The number of the event's attempt, from 1. */
      readonly attempt: number;
      /** When it was sent, if the answer took virtual time. */
      readonly sentAt?: Moment;
      /** The status of the merchant's answer. */
      readonly status?: number;
      /** Why no answer came. */
      readonly failure?: string;
      /** The clock on which the limit passed, if no answer came in time. */
      readonly clock?: "real" | "virtual";
      /** The faults that struck the attempt. */
      readonly faults?: readonly { readonly id: string; readonly kind: string }[];
      /** When the next attempt is due. */
      readonly nextAt?: Moment;
      /** The event's status after the attempt. */
      readonly outcome: string;
    };
    readonly volatile: { readonly stamp: Moment; readonly answer: unknown };
  };
  /** An answer arrived too late to count. If its world was replaced meanwhile, only `volatile` says which event it belongs to. */
  readonly "late-answer": {
    readonly details: {
      readonly event?: string;
      readonly type?: string;
      readonly url?: string;
      readonly attempt?: number;
    };
    readonly volatile: {
      readonly event: string;
      readonly type: string;
      readonly url: string;
      readonly answer: unknown;
    };
  };
  /** A delivery that no service would send was sent by hand. */
  readonly hostile: {
    readonly details: {
      readonly name: string;
      readonly method: string;
      readonly url: string;
      readonly status?: number;
      readonly failure?: string;
    };
    readonly volatile: { readonly answer: unknown };
  };
  /** The customer acted on a page, or came back to a page of the merchant. */
  readonly customer: {
    readonly details: {
      readonly act: string;
      /** The service's page on which the customer acted. */
      readonly at?: string;
      /** The merchant's page, without its query. */
      readonly to?: string;
      readonly method?: unknown;
      /** The status of the merchant's page. */
      readonly status?: number;
    };
    readonly volatile: { readonly answer: unknown };
  };
  /**
   * The test visited a page of a connected app. Only `volatile` says so, because the effects of the visit on the world have entries of
   * their own.
   */
  readonly visit: {
    readonly details: NoDetails;
    readonly volatile: {
      readonly method: string;
      readonly url: string;
      readonly status?: number;
      readonly failure?: string;
    };
  };
  /** Interception kept a request from leaving the test. */
  readonly refused: {
    readonly details: NoDetails;
    readonly volatile: {
      readonly method: string;
      readonly url: string;
      readonly reason: string;
      /** The base URL that it was probably meant for. */
      readonly baseUrl?: string;
    };
  };
  /** A request to a host of the option `drop` got an empty answer. */
  readonly dropped: {
    readonly details: NoDetails;
    readonly volatile: { readonly method: string; readonly url: string };
  };
  /** An access token was issued. */
  readonly token: { readonly details: { readonly merchant: string; readonly jti: string; readonly expiresAt: Moment } };
  /** A fault was added or removed, fired, or holds something back. */
  readonly fault: {
    readonly details:
      | ({ readonly act: "add"; readonly id: string; readonly kind: string } & More)
      | { readonly act: "remove"; readonly id: string }
      | ({ readonly act: "strike"; readonly id: string; readonly kind: string; readonly hit: number } & More)
      | ({ readonly act: "hold"; readonly until: Moment } & More)
      | ({ readonly act: "let-go" } & More)
      | { readonly act: "release"; readonly id: string; readonly events: readonly (string | undefined)[] };
  };
  /**
   * Something is probably a mistake. If it comes from outside the world, such as a call of an ended world, its message is in `volatile`.
   */
  readonly warning: {
    readonly details: { readonly route?: string; readonly message?: string };
    readonly volatile: {
      readonly message: string;
      /** The fields that the service does not know, and ignored. */
      readonly ignored?: readonly string[];
      /** Whose work the clock stopped waiting for, what it followed, and its kinds. */
      readonly leftOpen?: { readonly who: string; readonly after: string; readonly kinds: readonly string[] };
      /** A call whose credential no open world issued, and the ended world that issued it, if that is known. */
      readonly turnedAway?: { readonly call: string; readonly issuer?: string };
      /** Whether a call carried an access token from before `sim.reset()`. */
      readonly isTokenOfResetWorld?: true;
    };
  };
  /** A timer, a listener or the service itself failed unexpectedly. */
  readonly failure: {
    readonly details: { readonly route?: string; readonly timer?: string; readonly message: string };
  };
}

/** The kinds of journal entries. */
export type JournalEntryKind = keyof Kinds<unknown>;

/** The details of a kind of entry. */
export type DetailsOf<Kind extends JournalEntryKind, Moment = number> = Kinds<Moment>[Kind]["details"];

/** The volatile part of one kind of entry. */
export type VolatileOf<Kind extends JournalEntryKind, Moment = number> = Extract<
  Kinds<Moment>[Kind],
  { readonly volatile: object }
>["volatile"];

/** The kinds that can also come from outside a world, so that a recording contains them. */
export type InputNoteKind = "customer" | "hostile" | "warning" | "failure";

/** An entry of one kind. Its details may have more fields, because a restored world may come from another version. */
interface EntryOf<Kind extends JournalEntryKind, Moment> {
  readonly sequence: number;
  /** The virtual time. */
  readonly at: Moment;
  readonly kind: Kind;
  readonly details: DetailsOf<Kind, Moment> & More;
  readonly volatile?: More & Partial<VolatileOf<Kind, Moment>>;
}

type AnyEntry<Moment> = { [Kind in JournalEntryKind]: EntryOf<Kind, Moment> }[JournalEntryKind];

/** An entry as worlds, digests, snapshots and recordings store it: times are milliseconds since 1970. */
export type StoredEntry = AnyEntry<number>;

/**
 * One thing that happened; its `kind` says which `details` it has. `volatile` is true of this run only (a signature's stamp, a
 * receiver's answer): it is kept for people and left out of the digest. An entry without details is left out as a whole. Times are
 * ISO 8601 in UTC, with milliseconds.
 *
 * @example
 * for (const entry of sim.journal.entries) {
 *   if (entry.kind === "delivery") console.log(entry.at, entry.details.event, entry.details.outcome);
 * }
 */
export type JournalEntry = AnyEntry<string>;

type FieldsWith<Moment, Part> = keyof {
  [Name in keyof Part as Extract<Part[Name], Moment> extends never ? never : Name]: never;
};
type PartsOf<Kind extends JournalEntryKind, Moment> = Kind extends unknown
  ? DetailsOf<Kind, Moment> | VolatileOf<Kind, Moment>
  : never;
type EachOf<Part, Moment> = Part extends unknown ? FieldsWith<Moment, Part> : never;
declare const moment: unique symbol;

/** The fields, in details and volatile parts, that are times. */
export type MomentField = EachOf<PartsOf<JournalEntryKind, typeof moment>, typeof moment>;
