import type { z } from "zod";
import type { Recurrence, recurrenceFields } from "./recurrence.ts";

/** Something on which a fault may fire, such as a call. Each family of faults says what else its selectors read of one. */
export interface Occasion {
  /** What the journal says of it. */
  readonly note: Readonly<Record<string, unknown>>;
}

type FieldsOf<Kind extends string, Fields extends z.ZodRawShape> = { readonly kind: Kind } & z.output<
  z.ZodObject<Fields>
>;

/** A fault that fires, with its name in the journal, and the number that no other fault of its world ever had. */
export type FiringFault<Kind extends string, Fields extends z.ZodRawShape> = FieldsOf<Kind, Fields> & {
  readonly id: string;
  readonly number: number;
};

/**
 * A kind of fault, declared once: what it takes and what it does.
 *
 * `Subject` is what its effect changes, such as the answer on its way back. `Service` is what the kind has to know of the service,
 * such as the types of its events.
 */
export interface FaultKind<Kind extends string, Fields extends z.ZodRawShape, Subject, Service> {
  readonly kind: Kind;
  /** What it takes beside how often, when and where it fires. */
  readonly fields: Fields;
  /** Says what is wrong with one that its schema accepts. */
  readonly complaint?: (fault: FieldsOf<Kind, Fields>, service: Service) => string | undefined;
  /** Returns false when it would do nothing, so that this does not count as an occasion. */
  readonly hasOccasion?: (fault: FieldsOf<Kind, Fields>, subject: Subject, service: Service) => boolean;
  /** Does what the fault is for. */
  readonly effect: (fault: FiringFault<Kind, Fields>, subject: Subject, service: Service) => void;
}

/** A kind of fault of any shape. */
export interface AnyFaultKind<Subject = never, Service = never> {
  readonly kind: string;
  readonly fields: z.ZodRawShape;
  readonly complaint?: (fault: never, service: Service) => string | undefined;
  readonly hasOccasion?: (fault: never, subject: Subject, service: Service) => boolean;
  readonly effect: (fault: never, subject: Subject, service: Service) => void;
}

/**
 * Declares kinds of fault whose effects change one sort of subject; only gives the compiler what it needs to type them.
 *
 * @example
 * const answerFault = faultKind<{ body: string }>();
 * const emptyAnswer = answerFault({
 *   kind: "answer.empty",
 *   fields: {},
 *   effect(_fault, answer) {
 *     answer.body = "";
 *   },
 * });
 */
export function faultKind<Subject, Service = unknown>() {
  return <const Kind extends string, Fields extends z.ZodRawShape>(
    declared: FaultKind<Kind, Fields, Subject, Service>,
  ): FaultKind<Kind, Fields, Subject, Service> => declared;
}

/** A field by which a fault says which occasions it concerns. A fault that leaves it out concerns any. */
export interface Selector<Wanted extends z.ZodType<string>, Of, Service> {
  readonly field: z.ZodOptional<Wanted>;
  /** What the field is called elsewhere, as in an event or in the OpenAPI document. */
  readonly otherNames?: readonly string[];
  /** Returns true when the occasion is one of those that are wanted. */
  readonly selects: (wanted: string, occasion: Of) => boolean;
  /** Says what is wrong with what is wanted, given the whole fault. */
  readonly complaint?: (
    wanted: string,
    service: Service,
    fault: Readonly<Record<string, unknown>>,
  ) => string | undefined;
}

/** A selector of any shape. */
export type AnySelector<Service = never> = Selector<z.ZodType<string>, never, Service>;

/** Declares selectors of one sort of occasion; only gives the compiler what it needs to type them. */
export function selector<Of extends Occasion, Service = unknown>() {
  return <Wanted extends z.ZodType<string>>(declared: Selector<Wanted, Of, Service>): Selector<Wanted, Of, Service> =>
    declared;
}

/** Kinds of fault that fire on the same sort of occasion, as one service has them. */
export interface FaultFamily<
  Kinds extends readonly AnyFaultKind[] = readonly AnyFaultKind[],
  Selectors extends Readonly<Record<string, AnySelector>> = Readonly<Record<string, AnySelector>>,
> {
  readonly kinds: Kinds;
  readonly selectors: Selectors;
  /** What the kinds and selectors have to know of the service. */
  readonly service?: unknown;
}

/** Joins kinds of fault with the selectors of their occasions and with what both have to know of the service. */
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
    ? z.input<z.ZodObject<{ kind: z.ZodLiteral<Kind> } & typeof recurrenceFields & SelectorFields<Selectors> & Fields>>
    : never;

/** Any fault of a family, as a test writes it: plain JSON. */
export type FaultOf<Family> =
  Family extends FaultFamily<infer Kinds, infer Selectors> ? InputOf<Kinds[number], Selectors> : never;

/** A fault of any kind, as far as the kit knows it. */
export type AnyFault = Recurrence & { readonly kind: string } & Readonly<Record<string, unknown>>;
