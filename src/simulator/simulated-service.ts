import type { Used } from "../assumptions/assumptions.ts";
import type { Connections } from "../receivers/connections.ts";
import type { ActTable } from "../declaration/act.ts";
import type { KitParts } from "./acts.ts";
import type { Settings } from "./options.ts";

/** The parts that the world of every service has. */
export interface WorldParts extends KitParts {
  readonly assumptions: { used(): Used<string>[] };
}

/** A service that can be simulated. */
export interface SimulatedService<Parts extends WorldParts, Table extends ActTable<Parts>> {
  /** Every act of a test on it, those of the kit included. */
  readonly acts: Table;
  /**
   * Joins the parts of the service over one world that has not begun.
   * @param onHeld told the moment for which a held answer waits, in milliseconds since 1970
   */
  readonly open: (settings: Settings, connections: Connections, onHeld: (until: number) => void) => Parts;
  /** Begins a new world. */
  readonly begin: (parts: Parts, settings: Settings) => void;
}
