import { describe, expect, test } from "vitest";
import { ParcelWorld } from "./parcels.ts";

const DAY = 86_400_000;

/** A world whose bells record when they rang, and then run the test's callback. */
function listening(then: (name: string, world: ParcelWorld) => void = () => {}): {
  world: ParcelWorld;
  heard: string[];
} {
  const world = new ParcelWorld();
  const heard: string[] = [];
  world.onRing((name) => {
    heard.push(`${name} at ${world.engine.now}`);
    then(name, world);
  });
  return { world, heard };
}

describe("a timer", () => {
  test("that another one schedules runs at its own due time, not at the end of the advance", async () => {
    const { world, heard } = listening((name, { engine }) => {
      if (heard.length < 4) world.ringAt(engine.now + 10, `after ${name.at(-1)}`);
    });
    world.engine.unit(() => world.ringAt(5, "1"));
    await world.clock.advance({ milliseconds: 100 });
    expect(heard).toEqual(["1 at 5", "after 1 at 15", "after 1 at 25", "after 1 at 35"]);
    expect(world.engine.now).toBe(100);
  });

  test("due at the same moment as others runs in scheduling order", async () => {
    const { world, heard } = listening();
    world.engine.unit(() => {
      world.ringAt(20, "late");
      for (const name of ["first", "second", "third"]) world.ringAt(10, name);
    });
    expect(world.clock.pending().map(({ key }) => key.split("/")[2])).toEqual(["first", "second", "third", "late"]);
    await world.clock.advance({ milliseconds: 20 });
    expect(heard).toEqual(["first at 10", "second at 10", "third at 10", "late at 20"]);
  });

  test("scheduled again counts from then: it moves behind the others of its moment", async () => {
    const { world, heard } = listening();
    world.engine.unit(() => {
      world.ringAt(10, "first");
      world.ringAt(10, "second");
      world.ringAt(10, "first");
    });
    await world.clock.advance({ milliseconds: 10 });
    expect(heard).toEqual(["second at 10", "first at 10"]);
  });

  test("cancelled and scheduled again in one step runs once, at the later time", async () => {
    const { world, heard } = listening();
    world.engine.unit(() => world.ringAt(10, "bell"));
    world.engine.unit(() => {
      world.engine.cancel("bell", "tower", "bell");
      world.ringAt(30, "bell");
    });
    await world.clock.advance({ milliseconds: 100 });
    expect(heard).toEqual(["bell at 30"]);
  });

  test("scheduled for a moment that is past runs now", async () => {
    const { world, heard } = listening();
    await world.clock.advance({ milliseconds: 50 });
    world.engine.unit(() => {
      world.ringAt(50, "due");
      world.ringAt(10, "overdue");
    });
    expect(world.clock.pending().map(({ at }) => at)).toEqual(["1970-01-01T00:00:00.050Z", "1970-01-01T00:00:00.050Z"]);
    await world.clock.settle();
    expect(heard).toEqual(["due at 50", "overdue at 50"]);
  });

  test("of a state that was left before it was due never runs", async () => {
    const world = new ParcelWorld();
    world.send("p1", 1000);
    world.engine.unit(() => world.parcels.step("p1", { type: "return_to_sender" }));
    expect(world.clock.pending()).toEqual([]);
    await world.clock.advance("1 day");
    expect(world.parcels.rows.get("p1")?.state).toBe("packed");
  });

  test("shows when it is due, what happens then, its key and its input while it is pending", () => {
    const world = new ParcelWorld();
    world.send("p1", 1500);
    expect(world.clock.pending()).toEqual([
      {
        at: "1970-01-01T00:00:01.500Z",
        what: "parcel p1: arrival",
        key: "parcel/p1/arrival",
        input: { type: "arrive" },
      },
    ]);
  });

  test.for([Number.NaN, Infinity, 0.5, 8.64e15 + 1])("cannot be scheduled for %s", (at) => {
    const world = new ParcelWorld();
    expect(() => world.engine.unit(() => world.ringAt(at, "never"))).toThrow(/bell\/tower\/never .* not a moment/);
    expect(world.clock.pending()).toEqual([]);
  });
});

describe("an advance", () => {
  test("includes its last moment and nothing after it", async () => {
    const { world, heard } = listening();
    world.engine.unit(() => {
      world.ringAt(100, "in");
      world.ringAt(101, "out");
    });
    await world.clock.advanceTo(100);
    expect(heard).toEqual(["in at 100"]);
    expect(world.clock.now()).toBe("1970-01-01T00:00:00.100Z");
  });

  test("of ten years runs a daily timer on each of its days, leap days among them", async () => {
    const start = Date.UTC(2023, 0, 1);
    const world = new ParcelWorld({ now: start });
    const rings: number[] = [];
    world.onRing(() => {
      rings.push(world.engine.now);
      world.ringAt(world.engine.now + DAY, "daily");
    });
    world.engine.unit(() => world.ringAt(start + DAY, "daily"));
    await world.clock.advance("10 years");
    expect(world.clock.now()).toBe("2033-01-01T00:00:00.000Z");
    expect(rings).toEqual(Array.from({ length: 3653 }, (_, index) => start + (index + 1) * DAY));
  });

  test("waits for what a timer sends out before time goes on", async () => {
    const world = new ParcelWorld();
    const seen: string[] = [];
    world.onRing((name) => async () => {
      for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
      seen.push(`${name} sent at ${world.engine.now}`);
    });
    world.engine.unit(() => {
      world.ringAt(10, "first");
      world.ringAt(20, "second");
    });
    await world.clock.advance("1 second");
    expect(seen).toEqual(["first sent at 10", "second sent at 20"]);
  });

  test("that settles runs the due timers and what follows from them at once, and time stands still", async () => {
    const { world, heard } = listening((name, { engine }) => {
      if (name === "due") world.ringAt(engine.now, "consequence");
    });
    world.engine.unit(() => {
      world.ringAt(0, "due");
      world.ringAt(1, "later");
    });
    await world.clock.settle();
    expect(heard).toEqual(["due at 0", "consequence at 0"]);
    expect(world.engine.now).toBe(0);
  });
});
