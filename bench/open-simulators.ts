/** A child process that opens and closes simulators of the built package, and runs a thousand tests of a shop. Needs `--expose-gc`. */
import { join } from "node:path";
import { answerParent } from "./child.ts";
import { heapInUse, median, microsecondsSince } from "./measure.ts";

/** Milliseconds of processor time, and bytes of heap. */
export interface OpeningFigures {
  readonly first: number;
  readonly later: number;
  readonly close: number;
  readonly tests: number;
  /** What the heap grew from the first to the last of the tests after a warm-up. */
  readonly kept: number;
}

const TESTS = 1000;
const WARM_UP = 50;
const ROUNDS = 15;
const TIMES = 40;

answerParent(async (): Promise<OpeningFigures> => {
  const { createSimulator } = await built<typeof import("../src/index.ts")>("index.js");
  const start = process.cpuUsage();
  const sim = createSimulator();
  const first = microsecondsSince(start) / 1000;
  await sim.close();
  const rounds: { readonly later: number; readonly close: number }[] = [];
  for (let round = -ROUNDS; round < ROUNDS; round += 1) {
    const opening = process.cpuUsage();
    const sims = Array.from({ length: TIMES }, () => createSimulator());
    const later = microsecondsSince(opening) / 1000 / TIMES;
    const closing = process.cpuUsage();
    for (const each of sims) await each.close();
    if (round >= 0) rounds.push({ later, close: microsecondsSince(closing) / 1000 / TIMES });
  }
  return {
    first,
    later: median(rounds.map(({ later }) => later)),
    close: median(rounds.map(({ close }) => close)),
    ...(await runTests()),
  };
});

async function runTests(): Promise<Pick<OpeningFigures, "tests" | "kept">> {
  const { createSimulator } = await built<typeof import("../src/index.ts")>("index.js");
  const { createClient } = await built<typeof import("../src/client.ts")>("client.js");
  const { intercept } = await built<typeof import("../src/node.ts")>("node.js");
  const test = async (): Promise<void> => {
    let delivered = 0;
    const sim = createSimulator({ webhookUrl: "https://shop.example/hooks" });
    intercept(sim);
    sim.connect("https://shop.example", () => {
      delivered += 1;
      return new Response();
    });
    const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl });
    const { id } = await client.paymentIntents.create({ amount: 10_000, returnUrl: "https://shop.example/thanks" });
    const { redirectUrl } = await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_challenge" });
    await sim.customer.authenticate(redirectUrl ?? "");
    await sim.clock.settle();
    if (sim.intents.get(id)?.status !== "succeeded" || delivered === 0) throw new Error("The payment did not succeed.");
    await sim.close();
  };
  for (let index = 0; index < WARM_UP; index += 1) await test();
  const heap = heapInUse();
  const start = process.cpuUsage();
  for (let index = 0; index < TESTS; index += 1) await test();
  return { tests: microsecondsSince(start) / 1000, kept: heapInUse() - heap };
}

/** The built package, as users load it. The types are those of the sources, because they are checked before the build. */
async function built<Entry>(file: string): Promise<Entry> {
  return (await import(join(import.meta.dirname, "../dist/esm", file))) as Entry;
}
