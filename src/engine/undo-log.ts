import { CentavoError } from "../errors/centavo-error.ts";

/**
 * Makes a synchronous piece of work whole or nothing: every write to the world leaves here how to take it back.
 * One log serves all parts of a world, so that rows, timers, random streams and the journal are undone together, newest first.
 */
export class UndoLog {
  #undo: (() => void)[] | undefined;
  #unit = 1;

  /** Different in every unit, and between units; lets a part record its state once per unit instead of once per write. */
  get unit(): number {
    return this.#unit;
  }

  get active(): boolean {
    return this.#undo !== undefined;
  }

  /** Runs `work`; when it throws, everything it wrote is taken back and the error goes on to the caller. */
  run<Result>(work: () => Result): Result {
    if (this.#undo !== undefined) {
      throw new CentavoError(
        "NESTED_UNIT",
        "A command was started while another command was still running. Commands do not nest: publish a fact and react to it instead.",
      );
    }
    const undo: (() => void)[] = [];
    this.#undo = undo;
    try {
      const result = work();
      if (result instanceof Promise) {
        throw new CentavoError(
          "MACHINE_DEFECT",
          "A command returned a promise, so that its later part would run outside the command. Commands are synchronous; a timer returns what waits for others, to be run after the command.",
        );
      }
      return result;
    } catch (error) {
      for (let index = undo.length - 1; index >= 0; index -= 1) undo[index]?.();
      throw error;
    } finally {
      this.#undo = undefined;
      this.#unit += 1;
    }
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
}
