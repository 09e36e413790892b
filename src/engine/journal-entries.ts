/** What the rest of an entry's details says, such as what a fault was asked for or met. */
type More = Readonly<Record<string, unknown>>;

/** One step of a resource: its input, and the states before and after it. `from` is absent where it was created. */
type Step = {
  readonly resource: string;
  readonly id: string;
  readonly input: string;
  readonly from?: string;
  readonly to: string;
};

/**
 * Every kind of entry: its details, and what is true of one run only. The journal's one reader, the timeline, has a line for each.
 * Moments are virtual, in milliseconds since 1970-01-01T00:00:00Z.
 */
interface Kinds {
  /** A call arrived. It has a route where there is one, and a query and body where they are valid; no secret stands in them. */
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
      /** When it is sent, where that is later. */
      readonly due?: number;
      /** The fault that made it up, delayed or swallowed it. */
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
      /** When it was sent, where its answer took virtual time. */
      readonly sentAt?: number;
      /** The status that the merchant answered. */
      readonly status?: number;
      /** Why no answer came. */
      readonly failure?: string;
      /** When the next attempt is due. */
      readonly nextAt?: number;
      /** Where the event then stands. */
      readonly outcome: string;
    };
    readonly volatile: { readonly stamp: number; readonly answer: unknown };
  };
  /** An answer came too late to count: `volatile` says to what, where its world was replaced. */
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
      /** The page, where the act is on one of the service's. */
      readonly at?: string;
      /** The merchant's page, without its query. */
      readonly to?: string;
      readonly method?: unknown;
      /** The status that the merchant's page answered. */
      readonly status?: number;
    };
    readonly volatile: { readonly answer: unknown };
  };
  /** An access token was issued. */
  readonly token: { readonly details: { readonly merchant: string; readonly jti: string; readonly expiresAt: number } };
  /** A fault was added or removed, met its occasion, or holds something back. */
  readonly fault: {
    readonly details:
      | ({ readonly act: "add"; readonly id: string; readonly kind: string } & More)
      | { readonly act: "remove"; readonly id: string }
      | ({ readonly act: "strike"; readonly id: string; readonly kind: string; readonly hit: number } & More)
      | ({ readonly act: "hold"; readonly until: number } & More)
      | ({ readonly act: "let-go" } & More)
      | { readonly act: "release"; readonly id: string; readonly events: readonly (string | undefined)[] };
  };
  /** Something is most likely not what was meant. */
  readonly warning: { readonly details: { readonly route?: string; readonly message: string } };
  /** Something failed that should not: a timer, a listener, or the service itself. */
  readonly failure: {
    readonly details: { readonly route?: string; readonly timer?: string; readonly message: string };
  };
}

/** The kinds of journal entries. */
export type JournalEntryKind = keyof Kinds;

/** What an entry of a kind says. */
export type DetailsOf<Kind extends JournalEntryKind> = Kinds[Kind]["details"];

/** What an entry of a kind says that is true of one run only. */
export type VolatileOf<Kind extends JournalEntryKind> = Extract<Kinds[Kind], { readonly volatile: object }>["volatile"];

/** The kinds that come from outside a world as well, so that a recording holds them. */
export type InputNoteKind = "customer" | "hostile" | "warning" | "failure";

/** An entry of one kind. Its details may have further fields: a restored world may come from another version. */
interface EntryOf<Kind extends JournalEntryKind> {
  readonly sequence: number;
  /** Virtual time in milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  readonly kind: Kind;
  readonly details: DetailsOf<Kind> & More;
  readonly volatile?: More & Partial<VolatileOf<Kind>>;
}

/**
 * One thing that happened; its `kind` says what `details` has. What stands in `volatile` is true of this run only (a signature's stamp, a
 * receiver's answer): it is kept for people and left out of the digest. So is the whole of an entry without details.
 *
 * @example
 * for (const entry of sim.journal.entries) {
 *   if (entry.kind === "delivery") console.log(entry.details.event, entry.details.outcome);
 * }
 */
export type JournalEntry = { [Kind in JournalEntryKind]: EntryOf<Kind> }[JournalEntryKind];
