import type * as z from "zod/mini";
import type { Engine } from "../engine/engine.ts";
import type { Of } from "./resource.ts";

/**
 * An action of the test that changes the world other than by a request. From one declaration, the simulator performs it, a recording
 * stores it, and a replay performs it again.
 */
export interface Act<Parts, Schema extends z.ZodMiniObject, Result> {
  /** The details that a recording stores. */
  readonly schema: Schema;
  /** Checks the details that the test gave, and returns those to record and perform. Not needed when the types are enough. */
  readonly read?: (parts: Parts, given: z.output<Schema>) => z.output<Schema>;
  /** Performs the act. An act that throws has not happened and is not recorded. */
  readonly perform: (parts: Parts, details: z.output<Schema>) => Result;
}

export interface AnyAct<Parts> {
  readonly schema: z.ZodMiniObject;
  readonly read?: (parts: Parts, given: never) => object;
  readonly perform: (parts: Parts, details: never) => unknown;
}

/** Acts on these parts, by their kind in a recording. */
export type ActTable<Parts> = Readonly<Record<string, AnyAct<Parts>>>;

/** Declares an act. It is a function so that TypeScript infers the details of `perform` from `schema`. */
export function act<Parts, Schema extends z.ZodMiniObject, Result>(
  declared: Act<Parts, Schema, Result>,
): Act<Parts, Schema, Result> {
  return declared;
}

/** The parts of a world on which acts of resources are performed. */
interface ActGround {
  readonly engine: Engine;
  readonly of: Of;
}

/** A resource with the members that its acts need. */
export interface WithActs {
  readonly open: (ground: never, of: Of) => unknown;
  readonly acts?: ActTable<never>;
}

/** Every act that resources declare, performed on a world instead of on commands. */
export type ActsIn<Resources extends readonly WithActs[]> = {
  readonly [Kind in keyof Declared<Resources>]: OnWorld<Declared<Resources>[Kind]>;
};

type Declared<Resources extends readonly WithActs[]> = Joined<
  Resources[number] extends infer Each
    ? Each extends { readonly acts?: infer Acts }
      ? NonNullable<Acts>
      : never
    : never
>;

/** The intersection of a union's members. */
export type Joined<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type OnWorld<Each> = Each extends Act<never, infer Schema, infer Result> ? Act<ActGround, Schema, Result> : never;

/** Returns the acts that resources declare. Each is performed as one unit. */
export function actsIn<const Resources extends readonly WithActs[]>(resources: Resources): ActsIn<Resources> {
  const acts = resources.flatMap((resource) =>
    Object.entries(resource.acts ?? {}).map(([kind, { schema, read, perform }]): [string, AnyAct<ActGround>] => {
      const commandsIn = ({ of }: ActGround): never => of(resource) as never;
      return [
        kind,
        {
          schema,
          ...(read === undefined ? {} : { read: (world, given) => read(commandsIn(world), given) }),
          perform: (world, details) => world.engine.unit(() => perform(commandsIn(world), details)),
        },
      ];
    }),
  );
  return Object.fromEntries(acts) as unknown as ActsIn<Resources>;
}
