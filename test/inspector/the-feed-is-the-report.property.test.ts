import * as fc from "fast-check";
import { runScenario, scenario } from "centavo/scenario";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { describe, expect, test } from "vitest";
import { gatherRun } from "../../src/report/gather-run.ts";
import { GatheredRows } from "../../src/report/gathered-rows.ts";
import type { ReportedRun, Row } from "../../src/report/reported-run.ts";
import type { Simulator } from "../../src/simulator/simulator.ts";
import { RunFeed } from "../../src/server/inspector/run-feed.ts";
import { keepsItsPromises } from "../fuzz/properties.ts";
import { randomScript } from "../fuzz/random-world.ts";
import { halfOf } from "../half-of.ts";
import { stories } from "../scenarios/stories.ts";
import { applied } from "./page.ts";

const TITLE = "a run";

/** A page that has read everything that a feed has to say. */
class Reader {
  readonly #feed: RunFeed;
  run: ReportedRun | undefined;
  rowsSent = 0;

  constructor(sim: Simulator) {
    this.#feed = new RunFeed(sim, TITLE, { betweenStates: 0 });
  }

  read(): void {
    for (let text = this.#feed.next(); text !== undefined; text = this.#feed.isOver ? undefined : this.#feed.next())
      for (const block of text.split("\n\n").filter(Boolean)) {
        const [, event = "", data = "null"] = /^event: (.*)\ndata: (.*)$/m.exec(block) ?? [];
        const streamed = { id: undefined, event, data: JSON.parse(data) as unknown };
        if (event === "rows") this.rowsSent += (streamed.data as Row[]).length;
        this.run = applied(this.run, streamed);
      }
  }
}

/** Returns what a report shows of a run, as JSON, without what a feed leaves out and what depends on the real time. */
async function reportedOf(sim: Simulator): Promise<Partial<ReportedRun>> {
  const { digest: _, coverage: __, causes: ___, ...rest } = await gatherRun(sim, { title: TITLE, heard: false });
  const run = JSON.parse(JSON.stringify(rest)) as ReportedRun;
  return { ...run, notes: run.notes.filter((note) => !note.startsWith("Headers and bodies")) };
}

function readOf({ run }: Reader): Partial<ReportedRun> {
  const { causes: _, ...rest } = run ?? ({} as ReportedRun);
  return rest;
}

describe("who follows a story from its first entry to its end has what its report shows", () => {
  test.each(stories)("%s", async (_name, { title, options, script }) => {
    let sim: Simulator | undefined;
    let reader: Reader | undefined;
    const read = (): void => reader?.read();
    subscribe("centavo:journal", read);
    const followed = scenario(title, options, async (stage) => {
      sim = stage.sim;
      reader = new Reader(sim);
      await script(stage);
    });
    try {
      expect((await runScenario(followed, { expect })).error).toBeUndefined();
      read();
    } finally {
      unsubscribe("centavo:journal", read);
    }
    expect(readOf(reader as unknown as Reader)).toEqual(await reportedOf(sim as unknown as Simulator));
  });
});

test("the rows of a random world are those of its report, however many entries come at a time, and after a break", async () => {
  const property = fc.asyncProperty(randomScript, fc.integer({ min: 1, max: 40 }), async (script, most) => {
    const sim = await keepsItsPromises(script);
    const { entries } = sim.internals.parts.engine.journal;
    const reader = new Reader(sim);
    await sim.close();
    reader.read();
    expect(readOf(reader)).toEqual(await reportedOf(sim));
    const { rows } = await gatherRun(sim, { heard: false });
    expect(rowsBySteps(new GatheredRows(sim), entries, most)).toEqual(rows);
    const resumed = new GatheredRows(sim);
    resumed.skip(entries.slice(0, most));
    expect(rowsBySteps(resumed, entries.slice(most), most, rows.slice(0, most))).toEqual(rows);
  });
  await fc.assert(property, halfOf({ numRuns: 20, seed: 20_261_126 }));
});

/** Returns the rows that a page has at the end. */
function rowsBySteps(
  gathered: GatheredRows,
  entries: Parameters<GatheredRows["take"]>[0],
  most: number,
  known: readonly Row[] = [],
): Row[] {
  const rows = new Map(known.map((row) => [row.sequence, row]));
  for (let place = 0; place < entries.length; place += most)
    for (const row of gathered.take(entries.slice(place, place + most))) rows.set(row.sequence, row);
  return [...rows.values()];
}
