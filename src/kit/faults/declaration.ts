import type * as z from "zod/mini";
import type { Recurrence, recurrenceFields } from "./recurrence.ts";

/** Something that a fault may fire on, such as a call. Each family of faults adds what its selectors read. */
export interface Occasion {
  /** How the journal describes it. */
  readonly note: Readonly<Record<string, unknown>>;
  /** Collects the faults that fire on it, in order. */
  readonly struck?: StruckBy[];
}

/** The name and kind of a fault that has fired. */
export interface StruckBy {
  readonly id: string;
  readonly kind: string;
}

type FieldsOf<Kind extends string, Fields extends z.core.$ZodShape> = { readonly kind: Kind } & z.output<
  z.ZodMiniObject<Fields>
>;

/** A fault that fires, with its name in the journal and a number that is unique in its world. */
export type FiringFault<Kind extends string, Fields extends z.core.$ZodShape> = FieldsOf<Kind, Fields> & {
  readonly id: string;
  readonly number: number;
};

/**
 * A kind of fault, declared once: its fields and its effect. `Subject` is what the effect changes, such as an answer on its way back.
 * `Service` is what the kind needs to know about the service, such as its types of event.
 */
export interface FaultKind<Kind extends string, Fields extends z.core.$ZodShape, Subject, Service> {
  readonly kind: Kind;
  /** What it does to a merchant, as the end of the sentence "You never tested …". */
  readonly inWords: string;
  /** Its fields, besides those that say how often, when and where it fires. */
  readonly fields: Fields;
  /** Returns what is wrong with a fault although its schema accepts it. */
  readonly complaint?: (fault: FieldsOf<Kind, Fields>, service: Service) => string | undefined;
  /** Returns false when the fault would have no effect, so that this does not count as an occasion. */
  readonly hasOccasion?: (fault: FieldsOf<Kind, Fields>, subject: Subject, service: Service) => boolean;
  /** Changes the subject. */
  readonly effect: (fault: FiringFault<Kind, Fields>, subject: Subject, service: Service) => void;
}

/** A kind of fault of any shape. */
export interface AnyFaultKind<Subject = never, Service = never> {
  readonly kind: string;
  readonly inWords: string;
  readonly fields: z.core.$ZodShape;
  readonly complaint?: (fault: never, service: Service) => string | undefined;
  readonly hasOccasion?: (fault: never, subject: Subject, service: Service) => boolean;
  readonly effect: (fault: never, subject: Subject, service: Service) => void;
}

/**
 * Returns the function that declares kinds of fault for one type of subject. At run time it does nothing; it only helps TypeScript.
 *
 * @example
 * const answerFault = faultKind<{ body: string }>();
 * const emptyAnswer = answerFault({
 *   kind: "answer.empty",
 *   inWords: "an answer without a body",
 *   fields: {},
 *   effect(_fault, answer) {
 *     answer.body = "";
 *   },
 * });
 */
export function faultKind<Subject, Service = unknown>() {
  return <const Kind extends string, Fields extends z.core.$ZodShape>(
    declared: FaultKind<Kind, Fields, Subject, Service>,
  ): FaultKind<Kind, Fields, Subject, Service> => declared;
}

/** A field that limits a fault to some occasions. Without it, the fault concerns every occasion. */
export interface Selector<Wanted extends z.ZodMiniType<string>, Of, Service> {
  readonly field: z.ZodMiniOptional<Wanted>;
  /** Other names of the field, such as its name in an event or in the OpenAPI document. */
  readonly otherNames?: readonly string[];
  /** Returns true when the wanted value matches the occasion. */
  readonly selects: (wanted: string, occasion: Of) => boolean;
  /** Returns what is wrong with the wanted value in the context of the whole fault. */
  readonly complaint?: (
    wanted: string,
    service: Service,
    fault: Readonly<Record<string, unknown>>,
  ) => string | undefined;
}

/** A selector of any shape. */
export type AnySelector<Service = never> = Selector<z.ZodMiniType<string>, never, Service>;

/** Returns the function that declares selectors for one type of occasion. At run time it does nothing; it only helps TypeScript. */
export function selector<Of extends Occasion, Service = unknown>() {
  return <Wanted extends z.ZodMiniType<string>>(
    declared: Selector<Wanted, Of, Service>,
  ): Selector<Wanted, Of, Service> => declared;
}

/** Kinds of fault that fire on the same type of occasion. */
export interface FaultFamily<
  Kinds extends readonly AnyFaultKind[] = readonly AnyFaultKind[],
  Selectors extends Readonly<Record<string, AnySelector>> = Readonly<Record<string, AnySelector>>,
> {
  readonly kinds: Kinds;
  readonly selectors: Selectors;
  /** What the kinds and selectors need to know about the service. */
  readonly service?: unknown;
}

/** Combines kinds of fault with the selectors of their occasions, and with what both need to know about the service. */
export function faultFamily<
  Service,
  const Kinds extends readonly AnyFaultKind<never, Service>[],
  Selectors extends Readonly<Record<string, AnySelector<Service>>>,
>(family: {
  readonly kinds: Kinds;
  readonly selectors: Selectors;
  readonly service?: Service;
}): FaultFamily<Kinds, Selectors> {
  return family;
}

type SelectorFields<Selectors extends Readonly<Record<string, AnySelector>>> = {
  [Name in keyof Selectors]: Selectors[Name]["field"];
};

type InputOf<Declared, Selectors extends Readonly<Record<string, AnySelector>>> =
  Declared extends FaultKind<infer Kind, infer Fields, never, never>
    ? z.input<
        z.ZodMiniObject<{ kind: z.ZodMiniLiteral<Kind> } & typeof recurrenceFields & SelectorFields<Selectors> & Fields>
      >
    : never;

/** Any fault of a family, as a test writes it: plain JSON. */
export type FaultOf<Family> =
  Family extends FaultFamily<infer Kinds, infer Selectors> ? InputOf<Kinds[number], Selectors> : never;

/** A fault of any kind, in the form that the kit knows. */
export type AnyFault = Recurrence & { readonly kind: string } & Readonly<Record<string, unknown>>;
