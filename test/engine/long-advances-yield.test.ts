import { expect, test } from "vitest";
import { ParcelWorld } from "./parcels.ts";

test("a long advance lets the event loop turn after every 64 deliveries", async () => {
  const world = new ParcelWorld();
  world.onRing(() => () => Promise.resolve());
  world.engine.unit(() => {
    for (let at = 1; at <= 200; at += 1) world.ringAt(at, `${at}`);
  });
  for (const [target, yields] of [
    [63, 0],
    [64, 1],
    [127, 1],
    [200, 3],
  ] as const) {
    await world.clock.advanceTo(target);
    expect(world.yields).toBe(yields);
  }
});

test("timers that send nothing out do not make it turn", async () => {
  const world = new ParcelWorld();
  world.onRing(() => {});
  world.engine.unit(() => {
    for (let at = 1; at <= 200; at += 1) world.ringAt(at, `${at}`);
  });
  await world.clock.advance("1 second");
  expect(world.yields).toBe(0);
});

test("it turns in the middle of the advance, with the virtual time standing still", async () => {
  const world = new ParcelWorld();
  const turns: number[] = [];
  world.onRing(() => () => Promise.resolve());
  world.engine.unit(() => {
    for (let at = 1; at <= 130; at += 1) world.ringAt(at, `${at}`);
  });
  const advanced = world.clock.advance("1 second");
  while (world.clock.busy) {
    if (turns.at(-1) !== world.engine.now && world.yields > turns.length) turns.push(world.engine.now);
    await Promise.resolve();
  }
  await advanced;
  expect(turns).toEqual([64, 128]);
});
