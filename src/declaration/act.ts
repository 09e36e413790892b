import type { z } from "zod";
import type { Engine } from "../engine/engine.ts";
import type { Of } from "./resource.ts";

/**
 * Something that a test does in the world's place. It is declared here alone: the simulator performs it, a recording holds it, and a
 * replay performs it again.
 */
export interface Act<Parts, Schema extends z.ZodObject, Result> {
  /** What a recording holds of it, beside its kind and place. */
  readonly schema: Schema;
  /** Checks what the test gave and returns what to record and perform; left out where the types say it all. */
  readonly read?: (parts: Parts, given: z.output<Schema>) => z.output<Schema>;
  /** Does it. One that throws has not happened, and is not recorded. */
  readonly perform: (parts: Parts, details: z.output<Schema>) => Result;
}

interface AnyAct<Parts> {
  readonly schema: z.ZodObject;
  readonly read?: (parts: Parts, given: never) => object;
  readonly perform: (parts: Parts, details: never) => unknown;
}

/** Acts on these parts, by the kind under which a recording knows them. */
export type ActTable<Parts> = Readonly<Record<string, AnyAct<Parts>>>;

/** Declares an act; a function only so that `perform` knows the types of `schema`. */
export function act<Parts, Schema extends z.ZodObject, Result>(
  declared: Act<Parts, Schema, Result>,
): Act<Parts, Schema, Result> {
  return declared;
}

/** Where an act of a resource is performed. */
interface ActGround {
  readonly engine: Engine;
  readonly of: Of;
}

/** A resource, as far as its acts go. */
export interface WithActs {
  readonly open: (ground: never, of: Of) => unknown;
  readonly acts?: ActTable<never>;
}

/** Every act that resources declare, each on a world in place of the commands. */
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

/** An object with the members of every one of a union. */
type Joined<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

type OnWorld<Each> = Each extends Act<never, infer Schema, infer Result> ? Act<ActGround, Schema, Result> : never;

/** Returns the acts of resources, each performed as one unit. */
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
