import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WorldSnapshot } from "../../src/kit/engine/world-snapshot.ts";
import { ParcelWorld } from "./parcels.ts";
import { history, live, look, workshop } from "./random-work.ts";

// The same cases on every run; a failure prints how to replay it.
fc.configureGlobal({ seed: 20260101 });

describe("a snapshot", () => {
  test("written as JSON and restored elsewhere goes on exactly as the original does", async () => {
    await fc.assert(
      fc.asyncProperty(history, history, async (past, future) => {
        const original = workshop();
        await live(original, past);
        const text = JSON.stringify(original.engine.snapshot());
        const restored = workshop({ seed: "another", now: 1e12 });
        restored.engine.restore(JSON.parse(text) as WorldSnapshot);
        expect(JSON.stringify(restored.engine.snapshot())).toBe(text);
        await live(original, future);
        await live(restored, future);
        expect(look(restored)).toStrictEqual(look(original));
      }),
      { numRuns: 100, seed: 20_260_101 },
    );
  });

  test("does not change with the world that it was taken from, nor with the one that it was restored in", async () => {
    const world = workshop();
    world.send("p1", 10);
    const snapshot = world.engine.snapshot();
    const text = JSON.stringify(snapshot);
    await world.clock.advance("1 second");
    world.engine.restore(snapshot);
    await world.clock.advance("1 second");
    world.send("p2", 10);
    expect(JSON.stringify(snapshot)).toBe(text);
  });

  test("taken while work is in flight holds its timer as not yet run, so that a restored world repeats it", async () => {
    const world = new ParcelWorld();
    const sent: number[] = [];
    const snapshots: WorldSnapshot[] = [];
    world.onRing(() => async () => {
      sent.push(world.engine.now);
      snapshots.push(world.engine.snapshot());
    });
    world.engine.unit(() => world.ringAt(10, "bell"));
    await world.clock.advance("1 second");
    expect(sent).toEqual([10]);
    expect(world.clock.pending()).toEqual([]);
    world.engine.restore(snapshots[0]);
    await world.clock.settle();
    expect(sent).toEqual([10, 10]);
  });
});

describe("a snapshot of work that has scheduled its next try", () => {
  test("holds the next try instead", async () => {
    const world = new ParcelWorld();
    const snapshots: WorldSnapshot[] = [];
    world.onRing((name) => async () => {
      world.engine.unit(() => world.ringAt(5000, name));
      snapshots.push(world.engine.snapshot());
    });
    world.engine.unit(() => world.ringAt(10, "bell"));
    await world.clock.advance("1 second");
    expect(snapshots[0]?.timers).toMatchObject([{ owner: "bell", subject: "tower", name: "bell", at: 5000 }]);
  });
});

describe("restoring while work is in flight", () => {
  test("ends the advance that waits for it, and leaves the new world alone", async () => {
    const world = new ParcelWorld();
    const beginning = world.engine.snapshot();
    world.onRing(() => async () => world.engine.restore(beginning));
    world.engine.unit(() => world.ringAt(10, "bell"));
    await world.clock.advance("1 day");
    expect(world.engine.snapshot()).toEqual(beginning);
  });

  test("does not count timers scheduled right afterwards as consequences", async () => {
    const world = new ParcelWorld();
    const beginning = world.engine.snapshot();
    world.onRing(() => async () => {
      world.engine.restore(beginning);
      world.engine.unit(() => world.ringAt(0, "new"));
    });
    world.engine.unit(() => world.ringAt(0, "old"));
    await world.clock.settle();
    expect(world.engine.timers.next()).toMatchObject({ depth: 0, input: { type: "new" } });
  });

  test("leaves the new world's advance in charge when the old one ends", async () => {
    const world = new ParcelWorld();
    const beginning = world.engine.snapshot();
    const deliveries = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    world.onRing((name) => () => deliveries[name === "old" ? 0 : 1].promise);
    world.engine.unit(() => world.ringAt(10, "old"));
    const old = world.clock.advance("1 day");
    world.engine.restore(beginning);
    world.engine.unit(() => world.ringAt(10, "new"));
    const current = world.clock.advance("1 second");
    deliveries[0].resolve();
    await old;
    await expect(world.clock.settle()).rejects.toMatchObject({ code: "CLOCK_BUSY" });
    deliveries[1].resolve();
    await current;
    expect(world.engine.now).toBe(1000);
  });

  test("frees the clock from a driver's move that still waits in the old world", async () => {
    const world = new ParcelWorld();
    const beginning = world.engine.snapshot();
    world.onRing(() => () => Promise.withResolvers<void>().promise);
    world.engine.unit(() => world.ringAt(10, "bell"));
    void world.clock.driveTo(10);
    world.engine.restore(beginning);
    await world.clock.advance("1 second");
    expect(world.engine.now).toBe(1000);
  });

  test("lets the new world's clock move before the old work has ended, and ignores how it ends", async () => {
    const world = new ParcelWorld();
    const beginning = world.engine.snapshot();
    const late = Promise.withResolvers<void>();
    world.onRing(() => () => late.promise);
    world.engine.unit(() => world.ringAt(10, "bell"));
    const old = world.clock.advance("1 day");
    world.engine.restore(beginning);
    await world.clock.advance("1 second");
    late.reject(new Error("too late"));
    await old;
    expect(world.clock.now()).toBe("1970-01-01T00:00:01.000Z");
    expect(world.engine.journal.entries).toEqual([]);
    expect(world.clock.busy).toBe(false);
  });
});

describe("restoring from code that the clock calls ends the call, and leaves the new world alone:", () => {
  /** A world with more timers than a report takes, and its beginning with one of them left. */
  function rewindable(): { world: ParcelWorld; beginning: WorldSnapshot; rung: string[]; rewind: () => void } {
    const world = new ParcelWorld();
    const rung: string[] = [];
    world.onRing((name) => void rung.push(name));
    world.engine.unit(() => world.ringAt(10, "first"));
    const beginning = world.engine.snapshot();
    world.engine.unit(() => {
      for (let bell = 0; bell < 1500; bell += 1) world.ringAt(20 + bell, `bell ${bell}`);
    });
    let isRewound = false;
    const rewind = (): void => {
      if (isRewound) return;
      isRewound = true;
      world.engine.restore(beginning);
    };
    return { world, beginning, rung, rewind };
  }

  test("a report", async () => {
    const { world, beginning, rewind } = rewindable();
    await world.clock.advance("1 day", { onProgress: rewind });
    expect(world.engine.snapshot()).toEqual(beginning);
  });

  test.for([0, 15, 1519])("a condition, at %i ms", async (moment) => {
    const { world, beginning, rewind } = rewindable();
    const rewinding = (): boolean => {
      if (world.engine.now >= moment) rewind();
      return false;
    };
    await world.clock.advanceUntil(rewinding, { limit: "1 day" });
    expect(world.engine.snapshot()).toEqual(beginning);
  });

  test("a listener", async () => {
    const { world, beginning, rung, rewind } = rewindable();
    world.clock.onMove(() => {
      if (world.engine.now >= 20) rewind();
    });
    await world.clock.advance("1 day");
    expect(rung).toEqual(["first"]);
    expect(world.engine.snapshot()).toEqual(beginning);
  });
});

describe("a snapshot that cannot be read", () => {
  const sound = (): WorldSnapshot => {
    const world = new ParcelWorld();
    world.send("p1", 10);
    return world.engine.snapshot();
  };
  const [timer] = sound().timers;

  test.for([
    ["world is null: it takes an object", null],
    ["now", { now: "2026" }],
    ["seed", { seed: 42 }],
    ["timerSequence", { timerSequence: -1 }],
    ["tables", { tables: [] }],
    ['table "shelves"', { tables: { shelves: [["s1"]] } }],
    ['no table "plans"', { tables: { plans: [] } }],
    ["streams", { streams: { dice: [1, 2, 3] } }],
    ["timers", { timers: [{ ...timer, at: "soon" }] }],
    ["timers", { timers: [{ ...timer, input: {} }] }],
    ["journal", { journal: [{ sequence: 2, at: 0, kind: "note", details: {} }] }],
  ] as const)("is refused for %s, and the world stays as it was", ([part, change]) => {
    const { engine } = new ParcelWorld();
    const before = engine.snapshot();
    const broken = (change === null ? null : { ...sound(), ...change }) as unknown as WorldSnapshot;
    expect(() => engine.restore(broken)).toThrow(expect.objectContaining({ code: "INVALID_SNAPSHOT" }));
    expect(() => engine.restore(broken)).toThrow(part);
    expect(engine.snapshot()).toEqual(before);
  });

  test("because two rows share what must be unique is refused half way, and the world stays as it was", () => {
    const world = new ParcelWorld();
    world.engine.unit(() => world.shelves.set("s0", { code: "a", load: 1 }));
    const before = look(world);
    const tables = {
      parcel: [],
      shelves: [
        ["s1", { code: "A", load: 1 }],
        ["s2", { code: "A", load: 2 }],
      ],
    } as const;
    expect(() => world.engine.restore({ ...sound(), now: 5, tables })).toThrow(
      /s2 .* has the same "code" as the row s1\. An index/,
    );
    expect(look(world)).toStrictEqual(before);
  });
});
