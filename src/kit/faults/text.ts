import type { AnyFaultKind } from "./declaration.ts";

/** What the reference says about one kind of fault, besides its declaration. */
export interface FaultText<Field extends string = string> {
  /** What it does, in one sentence. */
  readonly does: string;
  /** When it happens in production, and what it costs. */
  readonly hurts: string;
  /** What each of its own fields means, with its unit and its default. */
  readonly fields: Readonly<Record<Field, string>>;
  /** What the merchant sees. */
  readonly sees: string;
  /** What the merchant's code should do. */
  readonly should: string;
  /** Further reading, as Markdown links. */
  readonly links?: string;
  /** The fields of the fault in the example. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly example: {
    /** The title of the test. */
    readonly title: string;
    /** What the test does before it plans the fault. */
    readonly before?: string;
    /** What the test does afterwards. */
    readonly after: string;
    /** Whether it strikes every time; once by default. */
    readonly strikes?: "always";
    /** More imports, one per line. */
    readonly imports?: string;
  };
}

/** A text for each of some kinds of fault. A kind without a text does not compile. */
export type FaultTexts<Kind extends AnyFaultKind> = {
  readonly [Each in Kind as Each["kind"]]: FaultText<keyof Each["fields"] & string>;
};

/** A section of the reference: kinds of fault that have something in common. */
export interface FaultSection<Kind extends AnyFaultKind = AnyFaultKind> {
  readonly title: string;
  readonly intro: string;
  /** Where the guide explains what the kinds have in common, as a Markdown link. */
  readonly guide: string;
  /** The address of the guide's section about their selectors. */
  readonly selectors: string;
  readonly texts: FaultTexts<Kind>;
}
