import * as fc from "fast-check";
import { CentavoError } from "../../src/kit/base/errors/centavo-error.ts";
import { ParcelWorld } from "./parcels.ts";

/** One piece of work on a world, as data, so that two worlds can do the same. */
export type Work =
  | { readonly kind: "stock"; readonly shelf: string; readonly load: number; readonly code?: string }
  | { readonly kind: "create" | "send" | "arrive" | "return_to_sender"; readonly parcel: string }
  | { readonly kind: "ring"; readonly name: string; readonly delay: number }
  | { readonly kind: "cancel"; readonly name: string }
  | { readonly kind: "draw"; readonly stream: string; readonly length: number }
  | { readonly kind: "note"; readonly text: string }
  | { readonly kind: "look" };

const id = fc.constantFrom("a", "b", "c");

const work: fc.Arbitrary<Work> = fc.oneof(
  fc.record({ kind: fc.constant("stock" as const), shelf: id, load: fc.nat(9) }),
  fc.record({ kind: fc.constant("stock" as const), shelf: id, load: fc.nat(9), code: id }),
  fc.record({ kind: fc.constantFrom("create", "send", "arrive", "return_to_sender"), parcel: id }),
  fc.record({ kind: fc.constant("ring" as const), name: id, delay: fc.nat(20) }),
  fc.record({ kind: fc.constant("cancel" as const), name: id }),
  fc.record({ kind: fc.constant("draw" as const), stream: id, length: fc.nat(5) }),
  fc.record({ kind: fc.constant("note" as const), text: fc.string({ maxLength: 5 }) }),
  fc.constant<Work>({ kind: "look" }),
);

/** The work of one command. */
export const command = fc.array(work, { maxLength: 8 });

/** A history: commands, and how many milliseconds pass after each. */
export const history = fc.array(fc.tuple(command, fc.nat(15)), { maxLength: 8 });

/** A world for such work: its bells write, draw, and now and then ring again. */
export function workshop(options?: { seed: string; now: number }): ParcelWorld {
  const world = new ParcelWorld(options);
  world.onRing((name) => {
    const load = world.engine.random.below("bells", 100);
    world.shelves.set(name, { load });
    if (load % 3 === 0) world.ringAt(world.engine.now + load, name);
    return load % 2 === 0 ? () => Promise.resolve() : undefined;
  });
  return world;
}

/** Does the work inside a unit that is under way. What the world refuses is thrown. */
export function perform(world: ParcelWorld, works: readonly Work[]): void {
  const { engine, parcels, shelves } = world;
  for (const item of works) {
    if (item.kind === "stock") {
      shelves.set(item.shelf, { load: item.load, ...(item.code === undefined ? {} : { code: item.code }) });
    } else if (item.kind === "create") parcels.create(item.parcel, { label: item.parcel, travelTime: 10 });
    else if (item.kind === "ring") world.ringAt(engine.now + item.delay, item.name);
    else if (item.kind === "cancel") engine.cancel("bell", "tower", item.name);
    else if (item.kind === "draw") engine.random.base62(item.stream, item.length);
    else if (item.kind === "note") engine.note("warning", { message: item.text });
    else if (item.kind === "look") look(world);
    else parcels.step(item.parcel, { type: item.kind });
  }
}

/** Runs a history. A command that the world refuses changes nothing, and the next one follows. */
export async function live(
  world: ParcelWorld,
  commands: readonly (readonly [readonly Work[], number])[],
): Promise<void> {
  for (const [works, milliseconds] of commands) {
    try {
      world.engine.unit(() => perform(world, works));
    } catch (error) {
      if (!(error instanceof CentavoError)) throw error;
    }
    await world.clock.advance({ milliseconds });
  }
}

/** Everything observable in a world: its snapshot, its digest, what its indexes find, what runs next. */
export function look({ engine, parcels, shelves, clock }: ParcelWorld): unknown {
  return {
    world: engine.inUnit ? undefined : engine.snapshot(),
    digest: engine.journal.digest(),
    pending: clock.pending(),
    next: engine.timers.next(),
    size: engine.timers.size,
    found: ["a", "b", "c"].map((key) => [parcels.rows.by("label", key), shelves.by("code", key)]),
  };
}
