import type { Simulator } from "centavo";
import { movesOf } from "./bare-machine.ts";
import type { Move } from "./bare-machine.ts";

/** The moves that one resource has made, as the journal tells them; its creation is left out. */
export function journaledMoves(sim: Simulator, resource: string, id: string): string[] {
  const moves = sim.journal.entries
    .filter(({ kind, details }) => (kind === "step" || kind === "timer") && details["resource"] === resource)
    .map(({ details }) => details as unknown as Move & { readonly id: string })
    .filter((move) => move.id === id && move.input !== "create");
  return movesOf(moves);
}
