import assert from "node:assert/strict";
import { replay, type Recording, type Simulator } from "../../src/index.ts";
import type { Script } from "./random-world.ts";
import { World } from "./world.ts";

/**
 * Checks the promises of every script: run twice, it does the same; kept at any moment and restored elsewhere, or forked, it goes on
 * as it would have; replayed from its recording, it comes to the same journal; and the invariants hold after every command.
 * @returns the simulator in which the script happened
 * @throws the first promise that is broken
 */
export async function keepsItsPromises(script: Script): Promise<Simulator> {
  const before = script.commands.slice(0, script.cut);
  const after = script.commands.slice(script.cut);

  const world = await new World(script, { checked: true }).begin();
  await world.live(before);
  await world.awaitHeldCalls();
  const kept = world.keep();
  const fork = world.fork();
  await world.live(after);
  await world.end();

  const twin = await new World(script, { checked: false }).begin();
  await twin.live(before);
  await twin.awaitHeldCalls();
  await twin.live(after);
  await twin.end();
  sameWorlds("run twice", world, twin);

  const restored = World.restored(script, kept);
  await restored.live(after);
  await restored.end();
  sameWorlds("kept and restored", world, restored);

  await fork.live(after);
  await fork.end();
  sameWorlds("forked", world, fork);

  const replayed = await replay(JSON.parse(JSON.stringify(world.sim.recording())) as Recording);
  sameJournals("recorded and replayed", world.sim, replayed);
  return world.sim;
}

/**
 * Not only the digests: rows, timers and chance too, and all that merchants were told. A delivery under way holds its stamp, which no
 * two runs share if it is the receiver's real time.
 */
function sameWorlds(how: string, one: World, other: World): void {
  sameJournals(how, one.sim, other.sim);
  if (one.stampsAreVirtual) assert.equal(stateOf(other), stateOf(one), `${how}, the world is another`);
  assert.deepEqual(other.memory, one.memory, `${how}, merchants saw something else`);
}

function sameJournals(how: string, one: Simulator, other: Simulator): void {
  if (other.journal.digest() === one.journal.digest()) return;
  assert.fail(`${how}, the journal is another:\n${linesOf(other)}\n\nand it was:\n${linesOf(one)}`);
}

function linesOf({ journal }: Simulator): string {
  return journal.entries.map(({ at, kind, details }) => JSON.stringify([at, kind, details])).join("\n");
}

/** The journal of a snapshot holds real times, which no run shares with another. */
function stateOf({ sim }: World): string {
  const { journal: _, ...world } = sim.snapshot().world;
  return JSON.stringify(world);
}
