import type { WorldSnapshot } from "../engine/world-snapshot.ts";
import { everyStep } from "../errors/every-step.ts";
import type { KitParts } from "./acts.ts";
import { readSnapshot } from "./snapshot.ts";
import type { Snapshot } from "./snapshot.ts";

/** The worlds of one simulator, one after the other. Each is kept, restored and begun anew here. */
export class Worlds {
  readonly #parts: KitParts;
  #breaks = 0;

  /** The world just after the simulator was created; a fork shares its parent's. */
  readonly beginning: WorldSnapshot;

  constructor(parts: KitParts, beginning: WorldSnapshot) {
    this.#parts = parts;
    this.beginning = beginning;
  }

  /** Counts how often every open call was broken off: one from before concerns this world's clock no more. */
  get breaks(): number {
    return this.#breaks;
  }

  snapshot(): Snapshot {
    const { engine } = this.#parts;
    engine.unawaited.throwBefore("sim.snapshot()");
    return structuredClone({ version: 1, world: engine.snapshot() });
  }

  /** @throws {CentavoError} `INVALID_SNAPSHOT`; nothing changes then */
  restore(snapshot: Snapshot, seed: string): void {
    this.#replace(readSnapshot(snapshot, seed));
    this.#parts.engine.unawaited.throwAfter("sim.restore()");
  }

  reset(): void {
    this.#replace(this.beginning);
    this.#parts.engine.unawaited.throwAfter("sim.reset()");
  }

  /** Takes over the world of another simulator, as it stands. */
  copyFrom({ engine: original, dispatcher }: KitParts): void {
    const { engine } = this.#parts;
    original.unawaited.throwBefore("sim.fork()");
    engine.copyFrom(original);
    // What is under way in the parent's process is not under way in this world.
    if (original.inFlight !== undefined || dispatcher.holdsCalls) engine.inputs?.begin(engine.snapshot());
  }

  /** Breaks off every call that has no answer yet. */
  breakOff(breaking = () => this.#parts.dispatcher.breakOff()): void {
    this.#breaks += 1;
    breaking();
  }

  #replace(world: WorldSnapshot): void {
    const { engine, faults, outbox } = this.#parts;
    const before = engine.world;
    // A clock listener may throw when it is told of the new world, which stands all the same.
    const afterwards = (step: () => void) => () => (engine.world === before ? undefined : step());
    everyStep(
      () => engine.restore(world),
      afterwards(() => this.breakOff()),
      afterwards(() => faults.worldReplaced()),
      afterwards(() => outbox.resume()),
    );
  }
}
