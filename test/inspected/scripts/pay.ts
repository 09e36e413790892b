import { setImmediate } from "node:timers/promises";
import { createSimulator } from "../../../src/index.ts";
import type { RunningHub } from "../../../src/inspected/records.ts";
import { hubIn, isAlive, openRunFolder } from "../../../src/inspected/run-folder.ts";
import { followTest } from "../../../src/inspected/follow.ts";

/**
 * Follows worlds as tests do, one after the other, and prints what became of them. The process may be killed in the middle of the last, or
 * itself kill the inspector after each.
 */
const most = Number(process.argv[2] ?? 1);
const what = process.argv[3];
for (let number = 1; number <= most; number += 1) {
  await using sim = createSimulator({ seed: number });
  followTest(sim, { file: "pay.test.ts", name: `pays ${number}` });
  for (let payment = 0; payment < 20; payment += 1) {
    if (what === "killed" && number === most && payment === 10) {
      await setImmediate();
      process.kill(process.pid, "SIGKILL");
    }
    sim.paymentMethods.create({ cardNumber: "4343434343434345", expMonth: "12", expYear: "30", cvc: "123" });
    await sim.clock.advance("1 day");
  }
  process.stdout.write(`${number}: ${sim.clock.now()}\n`);
  if (what === "kills") await kill();
}

/** Kills the inspector, unless that is dead for good. */
async function kill(): Promise<void> {
  const { path } = openRunFolder();
  while (hubIn(path) === undefined) await setImmediate();
  const hub = hubIn(path) as RunningHub;
  if (!isAlive(hub.pid)) return;
  process.kill(hub.pid, "SIGKILL");
  while (isAlive(hub.pid)) await setImmediate();
}
