import type { Waits } from "../kit/engine/waits.ts";
import type { WorldSnapshot } from "../kit/engine/world-snapshot.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { everyStep } from "../kit/base/errors/every-step.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import { CLOSED, kitActs, performerOf } from "./acts.ts";
import type { KitParts } from "./acts.ts";
import { readSnapshot, snapshotOf } from "./snapshot.ts";
import type { Snapshot } from "./snapshot.ts";

/** The origin of a fork. */
export interface ForkOrigin<Parent> {
  readonly parent: Parent;
  /** Whether the fork shares the parent's connections. */
  readonly connect: boolean;
}

/**
 * Checks the options of a call that takes one option, which is true or false.
 * @throws {CentavoError} `INVALID_OPTION`
 */
export function checkSwitch(call: string, name: string, options: object): void {
  refuseUnknownOptions(call, options, [name]);
  const given: unknown = Reflect.get(options, name);
  if (given === undefined || typeof given === "boolean") return;
  throw new CentavoError("INVALID_OPTION", `${call}: the option ${name} is ${inWords(given)}. It takes true or false.`);
}

/** Takes snapshots of a simulator's world, and replaces it: by restore, reset or fork. */
export class Worlds {
  readonly #parts: KitParts;
  readonly #waits: Pick<Waits, "end">;
  #breaks = 0;

  /** The world just after the simulator was created. A fork has the beginning of its parent. */
  readonly beginning: WorldSnapshot;
  /** The snapshots of this simulator, its parent and its forks, which have the same options. They are frozen, so they need no check. */
  readonly #snapshots: WeakSet<Snapshot>;

  /**
   * @param waits what waits for the clock, and ends with its world
   * @param parent the worlds of the simulator that this one is a fork of; without it, the world begins now
   */
  constructor(parts: KitParts, waits: Pick<Waits, "end">, parent?: Worlds) {
    this.#parts = parts;
    this.#waits = waits;
    this.beginning = parent?.beginning ?? parts.engine.snapshot();
    this.#snapshots = parent === undefined ? new WeakSet() : parent.#snapshots;
  }

  /** How often all open calls were broken off. A call from before the last time no longer affects the clock. */
  get breaks(): number {
    return this.#breaks;
  }

  snapshot(): Snapshot {
    const { engine } = this.#parts;
    engine.runningClock.catchUp();
    engine.unawaited.throwBefore("sim.snapshot()");
    const snapshot = snapshotOf(engine.snapshot());
    this.#snapshots.add(snapshot);
    return snapshot;
  }

  /**
   * @param options.edited whether to take a snapshot that was edited
   * @throws {CentavoError} `INVALID_SNAPSHOT`, without changing anything
   */
  restore(snapshot: Snapshot, seed: string, options: { readonly edited?: boolean }): void {
    checkSwitch("sim.restore", "edited", options);
    const call = "sim.restore()";
    if (this.#snapshots.has(snapshot)) this.#replace(call, (engine) => engine.goBackTo(snapshot.world, "restore"));
    else {
      const world = readSnapshot(snapshot, seed, options);
      this.#replace(call, (engine) => engine.restore(world));
    }
    this.#parts.engine.unawaited.throwAfter(call);
  }

  reset(): void {
    this.#replace("sim.reset()", (engine) => engine.goBackTo(this.beginning));
    this.#parts.engine.unawaited.throwAfter("sim.reset()");
  }

  /**
   * Copies the current world of another simulator.
   * @param isElsewhere whether this one has another address, at which the requests of the other would not be answered alike
   */
  copyFrom({ engine: original, dispatcher }: KitParts, isElsewhere: boolean): void {
    const { engine } = this.#parts;
    original.runningClock.catchUp();
    original.unawaited.throwBefore("sim.fork()");
    engine.copyFrom(original);
    // Calls and deliveries in flight in the parent are not in flight here, so the recording starts from a snapshot without them.
    if (isElsewhere || original.inFlight.length > 0 || dispatcher.heldCalls > 0)
      engine.inputs?.begin(engine.snapshot());
  }

  /** Ends every call that has no answer yet, because the simulator is closed. A replay ends those that were held at the same place. */
  close(): void {
    const holdsCalls = this.#parts.dispatcher.heldCalls > 0;
    this.#endCalls(CLOSED, holdsCalls ? () => performerOf(this.#parts, kitActs)("broke-off", {}) : undefined);
  }

  #endCalls(endedBy: string, end = () => this.#parts.dispatcher.endCalls(endedBy)): void {
    this.#breaks += 1;
    end();
    this.#waits.end(endedBy, endedBy === CLOSED);
  }

  #replace(call: string, replace: (engine: KitParts["engine"]) => void): void {
    const { engine, faults, outbox } = this.#parts;
    const before = engine.world;
    // A clock listener may throw when it learns of the new world. The world is replaced all the same, so the other steps must run.
    const afterwards = (step: () => void) => () => (engine.world === before ? undefined : step());
    everyStep(
      () => replace(engine),
      afterwards(() => this.#endCalls(call)),
      afterwards(() => faults.worldReplaced()),
      afterwards(() => outbox.resume()),
    );
  }
}
