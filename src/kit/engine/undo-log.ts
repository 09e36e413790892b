import { CentavoError } from "../base/errors/centavo-error.ts";

/**
 * Makes a synchronous piece of work atomic: each write to the world records here how to undo it. One log serves all parts of a world,
 * so rows, timers, random streams and the journal are undone together, newest first.
 */
export class UndoLog {
  #undo: (() => void)[] | undefined;
  #atCommit: (() => void)[] | undefined;
  #unit = 1;

  /** A number that differs in every unit, and between units. It lets a part record its state once per unit instead of once per write. */
  get unit(): number {
    return this.#unit;
  }

  get active(): boolean {
    return this.#undo !== undefined;
  }

  /** Runs `work`. When it throws, everything it wrote is undone, and the caller gets the error. */
  run<Result>(work: () => Result): Result {
    if (this.#undo !== undefined) {
      throw new CentavoError(
        "NESTED_UNIT",
        "A command was started while another command was still running. Commands do not nest: publish a fact and react to it instead.",
      );
    }
    const undo: (() => void)[] = [];
    this.#undo = undo;
    let result: Result;
    try {
      result = work();
      if (result instanceof Promise) {
        throw new CentavoError(
          "MACHINE_DEFECT",
          "A command returned a promise, so its later part would run outside the command. Commands are synchronous; a timer's handler may return asynchronous work, which runs after the command.",
        );
      }
    } catch (error) {
      for (const step of undo.toReversed()) step();
      this.#end();
      throw error;
    }
    const atCommit = this.#end();
    if (atCommit !== undefined) for (const act of atCommit) act();
    return result;
  }

  record(undo: () => void): void {
    if (this.#undo === undefined) {
      throw new CentavoError(
        "MACHINE_DEFECT",
        "The world was written to outside a unit. This is a defect in Centavo; please report it.",
      );
    }
    this.#undo.push(undo);
  }

  /** Runs an act that cannot be undone: when the unit has committed, never when it throws, and at once outside a unit. */
  atCommit(act: () => void): void {
    if (this.#undo === undefined) act();
    else (this.#atCommit ??= []).push(act);
  }

  #end(): readonly (() => void)[] | undefined {
    const atCommit = this.#atCommit;
    this.#undo = undefined;
    this.#atCommit = undefined;
    this.#unit += 1;
    return atCommit;
  }
}
