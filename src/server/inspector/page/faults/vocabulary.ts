/** A field of a fault, as its declaration describes it. */
export interface FaultField {
  readonly name: string;
  readonly isRequired?: boolean;
  /** What it means, as Markdown. */
  readonly means?: string;
  /** Whether it takes text alone. */
  readonly isText?: true;
  /** The words that it takes, or the names that it may have. */
  readonly choices?: readonly string[];
}

/** A kind of fault that can be planned. */
export interface KnownKind {
  readonly kind: string;
  /** What it does, in one sentence. */
  readonly does: string;
  readonly fields: readonly FaultField[];
  /** The fields that say what it concerns. */
  readonly selectors: readonly FaultField[];
  /** The fields of an example. */
  readonly example: Readonly<Record<string, unknown>>;
}

/** Kinds of fault that have something in common. */
export interface FaultSection {
  readonly title: string;
  readonly kinds: readonly KnownKind[];
}
