/** Prints the milliseconds of `sim.fork()` of a world with so many payments, each after one more payment, or those of a clone of its snapshot. */
import { createSimulator } from "centavo";
import { intentFlow, tokenOf } from "./flow.ts";
import { median, microsecondsEach } from "./measure.ts";

const ROUNDS = 20;
const [what, payments] = process.argv.slice(2);

const sim = createSimulator();
const flow = intentFlow(sim.fetch, sim.baseUrl, await tokenOf(sim));
for (let index = 0; index < Number(payments); index += 1) {
  await flow.run();
  await sim.clock.settle();
}
const copy = what === "fork" ? () => void sim.fork() : () => void structuredClone(sim.snapshot());
const rounds: number[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  await flow.run();
  globalThis.gc?.();
  rounds.push(await microsecondsEach(1, copy));
}
console.log(median(rounds) / 1000);
