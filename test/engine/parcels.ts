import * as z from "zod/mini";
import { setup } from "xstate";
import { Clock } from "../../src/kit/engine/clock.ts";
import { Engine } from "../../src/kit/engine/engine.ts";
import { LifecycleRows } from "../../src/kit/engine/lifecycle-rows.ts";
import type { InFlightWork } from "../../src/kit/engine/timer-handler.ts";
import { Lifecycle } from "../../src/kit/engine/lifecycle.ts";
import { momentOf } from "../../src/kit/engine/machine.ts";
import type { Table } from "../../src/kit/engine/table.ts";

interface ParcelData {
  readonly label: string;
  readonly travelTime: number;
  readonly tries: number;
}

type ParcelInput = { readonly at: number } & (
  | { readonly type: "send" }
  | { readonly type: "arrive" }
  | { readonly type: "return_to_sender" }
);

const machineSetup = setup({
  types: {
    context: {} as ParcelData,
    input: {} as { readonly label: string; readonly travelTime: number; readonly at: number },
    events: {} as ParcelInput,
    emitted: {} as { type: "parcel.sent" | "parcel.delivered" | "parcel.lost" },
  },
  guards: { hasTriesLeft: ({ context }) => context.tries < 3 },
});
const { assign, cancel, emit, raise } = machineSetup;

/** A lifecycle with everything that the engine offers: data, a timer, facts, a guard, final states. */
export const parcelMachine = machineSetup.createMachine({
  id: "parcel",
  context: ({ input: { label, travelTime } }) => ({ label, travelTime, tries: 0 }),
  initial: "packed",
  states: {
    packed: {
      on: {
        send: {
          target: "on_the_way",
          actions: [assign({ tries: ({ context }) => context.tries + 1 }), emit({ type: "parcel.sent" })],
        },
      },
    },
    on_the_way: {
      entry: raise(({ event }) => ({ type: "arrive", at: momentOf(event) }), {
        id: "arrival",
        delay: ({ context }) => context.travelTime,
      }),
      exit: cancel("arrival"),
      on: {
        arrive: { target: "delivered", actions: emit({ type: "parcel.delivered" }) },
        return_to_sender: [
          { guard: "hasTriesLeft", target: "packed" },
          { target: "lost", actions: emit({ type: "parcel.lost" }) },
        ],
      },
    },
    delivered: { type: "final" },
    lost: { type: "final" },
  },
});

/** A small world around parcels, with an extra table and an owner of timers that a test fills in. */
export class ParcelWorld {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly parcels: LifecycleRows<typeof parcelMachine>;
  readonly shelves: Table<{ readonly code?: string; readonly load: number }>;
  /** How often the clock let the event loop turn. */
  yields = 0;

  constructor({ seed = "42", now = 0 }: { seed?: string; now?: number } = {}) {
    this.engine = new Engine({ seed, now });
    this.parcels = new LifecycleRows(this.engine, new Lifecycle("parcel", parcelMachine), {
      data: z.object({ label: z.string(), travelTime: z.number(), tries: z.number() }),
      keys: { label: ({ data }) => data.label },
    });
    this.shelves = this.engine.table("shelves", {
      row: z.object({ code: z.exactOptional(z.string()), load: z.number() }),
      keys: { code: ({ code }) => code },
    });
    this.clock = new Clock(this.engine, async () => {
      this.yields += 1;
    });
  }

  send(id: string, travelTime: number): void {
    this.engine.unit(() => {
      this.parcels.create(id, { label: `label of ${id}`, travelTime });
      this.parcels.step(id, { type: "send" });
    });
  }

  /** Schedules a timer of the owner "bell", which rings with the timer's name. */
  ringAt(at: number, name: string): void {
    this.engine.schedule("bell", "tower", name, at, { type: name });
  }

  /** Sets what happens when a bell rings. A promise that it returns is the timer's work in flight. */
  onRing(ring: (name: string) => InFlightWork | void): void {
    this.engine.onTimer("bell", ({ input }) => ring(input.type));
  }
}
