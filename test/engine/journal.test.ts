import { describe, expect, test } from "vitest";
import { ParcelWorld } from "./parcels.ts";

async function sendTwo(world: ParcelWorld): Promise<ParcelWorld> {
  world.send("p1", 1000);
  world.send("p2", 2000);
  await world.clock.advance("1 hour");
  return world;
}

describe("the digest", () => {
  test("of this run never changes: a new value here breaks every recorded run", async () => {
    const { engine } = await sendTwo(new ParcelWorld());
    expect(engine.journal.digest()).toBe("4a51664f0f4a18dc80d389bcf43199fa161be65b0462c454802f450fb8e789d0");
  });

  test("does not depend on when it was asked for before", async () => {
    const asked = new ParcelWorld();
    asked.engine.journal.digest();
    asked.engine.onFact(() => void asked.engine.journal.digest());
    await sendTwo(asked);
    expect(asked.engine.journal.digest()).toBe((await sendTwo(new ParcelWorld())).engine.journal.digest());
  });

  test("does not remember what was undone, even if it was asked for before", () => {
    // The digest remembers blocks of a thousand lines.
    const warn = ({ engine }: ParcelWorld, message: string): void => {
      for (let line = 0; line < 1500; line += 1) engine.note("warning", { message });
    };
    const world = new ParcelWorld();
    const attempt = (): void => {
      warn(world, "undone");
      world.engine.journal.digest();
      throw new Error("no");
    };
    expect(() => world.engine.unit(attempt)).toThrow("no");
    const other = new ParcelWorld();
    for (const each of [world, other]) warn(each, "kept");
    expect(world.engine.journal.digest()).toBe(other.engine.journal.digest());
  });

  test("leaves out only what is true of a single run", () => {
    const digestOf = (text: string, stamp: number, now = 0): string => {
      const { engine } = new ParcelWorld({ now });
      engine.note("hostile", { name: text, method: "POST", url: "/" }, { answer: stamp });
      return engine.journal.digest();
    };
    expect(digestOf("a", 1)).toBe(digestOf("a", 2));
    expect(new Set([digestOf("a", 1), digestOf("b", 1), digestOf("a", 1, 5)]).size).toBe(3);
  });
});

describe("an entry", () => {
  test("carries its number, its virtual time, its kind and details that cannot change any more", () => {
    const { engine } = new ParcelWorld({ now: 7 });
    const details = { name: "hello", method: "POST", url: "/" };
    engine.note("hostile", details, { answer: 1 });
    expect(engine.journal.entries).toEqual([
      {
        sequence: 1,
        at: 7,
        kind: "hostile",
        details: { name: "hello", method: "POST", url: "/" },
        volatile: { answer: 1 },
      },
    ]);
    expect(() => {
      details.name = "goodbye";
    }).toThrow(TypeError);
  });

  test("written outside a unit stands, while one inside goes with its unit", () => {
    const { engine } = new ParcelWorld();
    engine.note("request", { method: "GET", path: "/" });
    const attempt = (): void => {
      engine.note("warning", { message: "undone" });
      throw new Error("no");
    };
    expect(() => engine.unit(attempt)).toThrow("no");
    engine.note("answer", { status: 200 });
    expect(engine.journal.entries.map(({ sequence, kind }) => [sequence, kind])).toEqual([
      [1, "request"],
      [2, "answer"],
    ]);
  });
});
