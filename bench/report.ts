import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { launch } from "../test/browser/browser.ts";
import { median } from "./measure.ts";
import { showProgress } from "./progress.ts";
import { grouped } from "./table.ts";
import type { Bound, Figure } from "./table.ts";

const ENTRIES = 10_000;
const ROUNDS = 9;
const SLOWEST: Bound = { of: "value", atMost: 100 };

/** Measures, in Chromium, how long the report of 10 000 entries takes from an input to the picture of its answer. */
export async function measureReport(): Promise<Figure[]> {
  showProgress("the report in Chromium");
  const html = await reportOfManyEntries();
  const folder = join(import.meta.dirname, "../.cache/browser");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "bench.html");
  writeFileSync(path, html);
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(pathToFileURL(path).href);
    await page.waitForSelector(".row");
    const acts = {
      "a letter in the search": `(round) => { const field = document.querySelector("#search"); field.value = "payment pi_"[round] + "a"; field.dispatchEvent(new InputEvent("input", { bubbles: true })); }`,
      "a filter by resource": `(round) => { const field = document.querySelector(".filters select"); field.value = String(round * 7); field.dispatchEvent(new Event("change", { bubbles: true })); }`,
      "a scroll to elsewhere": `(round) => { const list = document.querySelector(".rows"); list.scrollTop = (round + 1) * 9973 % list.scrollHeight; }`,
    };
    const figures: Figure[] = [];
    for (const [what, act] of Object.entries(acts)) {
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      const times = await page.evaluate<number[]>(timed(act));
      figures.push({
        what: `From ${what} to the picture, in a report of ${grouped(ENTRIES)} entries (Chromium, real time)`,
        unit: "ms",
        value: median(times),
        bound: SLOWEST,
        isWait: true,
      });
    }
    return figures;
  } finally {
    await browser.close();
  }
}

/** The built package: the report loads its page from there. The types are those of the sources, because they are checked before the build. */
async function built<Entry>(file: string): Promise<Entry> {
  return (await import(join(import.meta.dirname, "../dist/esm", file))) as Entry;
}

async function reportOfManyEntries(): Promise<string> {
  const { createSimulator } = await built<typeof import("../src/index.ts")>("index.js");
  const { createClient } = await built<typeof import("../src/client.ts")>("client.js");
  const sim = createSimulator({ webhookUrl: "https://shop.example/hooks" });
  sim.connect("https://shop.example", () => new Response());
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  while (sim.journal.length < ENTRIES) {
    const { id } = await client.paymentIntents.create({ amount: 10_000, description: `order ${sim.journal.length}` });
    await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_approved" });
    await sim.clock.advance("10 seconds");
  }
  return sim.report();
}

/** What the page runs: an act, and the time until its frame is painted, several times. */
function timed(act: string): string {
  return `(async () => {
    const act = ${act};
    const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => resolve();
      port2.postMessage(0);
    }));
    const times = [];
    for (let round = 0; round < ${ROUNDS}; round += 1) {
      await painted();
      const start = performance.now();
      act(round);
      await painted();
      times.push(performance.now() - start);
    }
    return times;
  })()`;
}
