import type { AnyFaultKind } from "./declaration.ts";

/** What the reference says of one kind of fault, besides what its declaration says. */
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
  /** More to read, as links of Markdown. */
  readonly links?: string;
  /** The fields of the fault in the example. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly example: {
    /** The title of the test. */
    readonly title: string;
    /** What the test does before it plans the fault. */
    readonly before?: string;
    /** What it does after. */
    readonly after: string;
    /** Whether it strikes each time; once by default. */
    readonly strikes?: "always";
    /** More imports, each a line. */
    readonly imports?: string;
  };
}

/** A text for each of some kinds of fault. A kind without one does not compile. */
export type FaultTexts<Kind extends AnyFaultKind> = {
  readonly [Each in Kind as Each["kind"]]: FaultText<keyof Each["fields"] & string>;
};

/** The section of the reference about kinds of fault that have something in common. */
export interface FaultSection<Kind extends AnyFaultKind = AnyFaultKind> {
  readonly title: string;
  readonly intro: string;
  /** Where the guide tells what the kinds have in common, as a link of Markdown. */
  readonly guide: string;
  /** The address of what the guide says of their selectors. */
  readonly selectors: string;
  readonly texts: FaultTexts<Kind>;
}
