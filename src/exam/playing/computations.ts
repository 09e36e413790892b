import type { BegunWork } from "../../kit/base/runtime/begun-work.ts";
import { watch } from "../../kit/receivers/app-work.ts";
import { doing } from "../../merchant/process/merchant-process.ts";
import type { Cause } from "../../merchant/process/merchant-process.ts";
import type { WaitsForStore } from "./answers-of-store.ts";
import { aSlowTurn, aTurn } from "./turns.ts";

/** Computations that always end by themselves. */
const COMPUTATIONS: ReadonlySet<string> = new Set(["compression", "cryptography"]);
/** How many turns of the event loop follow each other at once. Later ones leave the processor to the computation. */
const QUICK_TURNS = 12;

/**
 * What goes on in other threads although Node does not list it among its active resources: cryptography, compression, and the work of native
 * add-ons, such as a password that bcrypt hashes.
 */
export class Computations {
  readonly #open = new Map<BegunWork, Cause | undefined>();
  /** Why the merchant's program runs, in the order in which that began. */
  readonly #causes = new Set<Cause>();
  readonly #stop: () => void;

  constructor() {
    this.#stop = watch.tell((begun) => {
      // Some add-ons call back outside the async context of the work.
      const cause = doing.value?.cause ?? [...this.#causes].at(-1);
      const counts = COMPUTATIONS.has(begun.kind) || (begun.kind === "native code" && cause !== undefined);
      if (!counts) return undefined;
      this.#open.set(begun, cause);
      return () => this.#open.delete(begun);
    });
  }

  /** Waits until they have ended, however long that takes on a busy machine, while the story stands still. */
  async rest({ waits, onTooLong }: Pick<WaitsForStore, "waits" | "onTooLong">, isOver: () => boolean): Promise<void> {
    const look = waits.watch();
    for (let turns = 0; this.#goOn && !isOver(); turns += 1) {
      await (turns < QUICK_TURNS ? aTurn() : aSlowTurn());
      const waited = look();
      if (waited !== undefined) onTooLong(waited);
    }
  }

  /** Whether the merchant waits for any of them. */
  get #goOn(): boolean {
    for (const [begun, cause] of this.#open)
      if (begun.isOpen && (begun.kind !== "native code" || cause?.waiting === 0)) return true;
    return false;
  }

  begins(cause: Cause): void {
    this.#causes.add(cause);
  }

  /** The merchant has done what it was asked to do. What an add-on has begun and not ended by then may have no end, such as a way to call back. */
  ends(cause: Cause): void {
    this.#causes.delete(cause);
    for (const [begun, of] of this.#open) if (of === cause && begun.kind === "native code") this.#open.delete(begun);
  }

  close(): void {
    this.#stop();
  }
}
