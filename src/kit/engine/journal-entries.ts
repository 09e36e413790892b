/** Further details of an entry, such as the fields of a fault or the occasion on which it fired. */
type More = Readonly<Record<string, unknown>>;

/** One step of a resource: its input, and the states before and after it. `from` is absent when the resource was created. */
type Step = {
  readonly resource: string;
  readonly id: string;
  readonly input: string;
  readonly from?: string;
  readonly to: string;
};

/** What the digest has of an entry that only this run has. */
type NoDetails = Readonly<Record<string, never>>;

/**
 * Every kind of entry: its details, and in `volatile` what is true of one run only. The timeline has a line for each kind.
 * @typeParam Moment how virtual times are written: in milliseconds since 1970 in a world, and as ISO 8601 for people
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
      /** The answer of an earlier call under the same `Idempotency-Key`. */
      readonly replayed?: boolean;
    };
    /** What a refusal says to people, and the first fields that it names, as in `amount, contact.email and 2 more`. */
    readonly volatile: { readonly problem: string; readonly fields?: string };
  };
  /** A command made a resource or gave it an input. */
  readonly step: { readonly details: Step };
  /** A timer gave a resource an input. */
  readonly timer: { readonly details: Step };
  /** Something happened to a resource that others may react to. */
  readonly fact: { readonly details: { readonly type: string; readonly id: string } };
  /** An event was announced to a merchant, or kept from being sent. */
  readonly webhook: {
    readonly details: {
      readonly event: string;
      readonly type: string;
      readonly status: string;
      readonly url?: string;
      /** When it is sent, if that is later than now. */
      readonly due?: Moment;
      /** The fault that made it up or dropped it. */
      readonly fault?: string;
    };
  };
  /** An attempt to deliver an event has ended. */
  readonly delivery: {
    readonly details: {
      readonly event: string;
      readonly type: string;
      readonly url: string;
      /** Counts the event's attempts from 1. */
      readonly attempt: number;
      /** When it was sent, if its answer took virtual time. */
      readonly sentAt?: Moment;
      /** The status that the merchant answered. */
      readonly status?: number;
      /** Why no answer came. */
      readonly failure?: string;
      /** The clock that ran out, when no answer came in time. */
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
  /** An answer came too late to count. When its world was replaced, only `volatile` says what it answers. */
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
  /** A delivery that no service would make was sent by hand. */
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
  /** The customer did something on a page, or came back to the merchant's. */
  readonly customer: {
    readonly details: {
      readonly act: string;
      /** The service's page on which the customer acted. */
      readonly at?: string;
      /** The merchant's page, without its query. */
      readonly to?: string;
      readonly method?: unknown;
      /** The status that the merchant's page answered. */
      readonly status?: number;
    };
    readonly volatile: { readonly answer: unknown };
  };
  /** The test visited a page of a connected app. Only `volatile` says so: what the visit does to the world has entries of its own. */
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
    readonly volatile: { readonly method: string; readonly url: string; readonly reason: string };
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
  /** Something is most likely a mistake. What comes from outside the world, such as a call of an ended world, stands in `volatile`. */
  readonly warning: {
    readonly details: { readonly route?: string; readonly message?: string };
    readonly volatile: { readonly message: string };
  };
  /** Something failed that should not: a timer, a listener, or the service itself. */
  readonly failure: {
    readonly details: { readonly route?: string; readonly timer?: string; readonly message: string };
  };
}

/** The kinds of journal entries. */
export type JournalEntryKind = keyof Kinds<unknown>;

/** The details of a kind of entry. */
export type DetailsOf<Kind extends JournalEntryKind, Moment = number> = Kinds<Moment>[Kind]["details"];

/** The volatile part of a kind of entry. */
export type VolatileOf<Kind extends JournalEntryKind, Moment = number> = Extract<
  Kinds<Moment>[Kind],
  { readonly volatile: object }
>["volatile"];

/** The kinds that come from outside a world as well, so that a recording contains them. */
export type InputNoteKind = "customer" | "hostile" | "warning" | "failure";

/** An entry of one kind. Its details may have further fields: a restored world may come from another version. */
interface EntryOf<Kind extends JournalEntryKind, Moment> {
  readonly sequence: number;
  /** The virtual time. */
  readonly at: Moment;
  readonly kind: Kind;
  readonly details: DetailsOf<Kind, Moment> & More;
  readonly volatile?: More & Partial<VolatileOf<Kind, Moment>>;
}

type AnyEntry<Moment> = { [Kind in JournalEntryKind]: EntryOf<Kind, Moment> }[JournalEntryKind];

/** An entry as the world stores it, and as the digest, snapshots and recordings have it: times are milliseconds since 1970. */
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

/** The fields of details and of volatile parts that are times. */
export type MomentField = EachOf<PartsOf<JournalEntryKind, typeof moment>, typeof moment>;
