import { CentavoError } from "../base/errors/centavo-error.ts";

/**
 * Makes synchronous work atomic: each write to the world records here how to undo it. All parts of a world share one log, so that rows,
 * timers, random streams and the journal are undone together, newest first.
 */
export class UndoLog {
  #undo: (() => void)[] | undefined;
  #atCommit: (() => void)[] | undefined;
  #unit = 1;

  /**
   * A number that is different in every unit, and between units. It lets a part record its state once per unit instead of once per write.
   */
  get unit(): number {
    return this.#unit;
  }

  get active(): boolean {
    return this.#undo !== undefined;
  }

  /** Runs `work`. If it throws, everything that it wrote is undone, and the error is thrown on. */
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

  /** Runs an act that cannot be undone when the unit commits, or at once outside a unit. It never runs if the unit throws. */
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
