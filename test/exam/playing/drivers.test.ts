import { setImmediate as aTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { Drivers } from "../../../src/exam/playing/drivers.ts";

test("a wait that looks around while a newer one begins and ends does not act on what it saw", async () => {
  const drivers = new Drivers();
  const told: string[] = [];
  const older = drivers.run(async (driver) => {
    for (let looks = 1; ; looks += 1) {
      await driver.turn();
      await aTurn();
      if (driver.hasLostTurn()) continue;
      told.push(`the older acts after ${looks} looks`);
      return;
    }
  });
  await drivers.run(async (driver) => {
    await driver.turn();
    told.push("the newer acts");
  });
  await older;
  expect(told).toEqual(["the newer acts", "the older acts after 2 looks"]);
});

test("a wait stands still while a newer one drives, until its own work is over", async () => {
  const drivers = new Drivers();
  const work = Promise.withResolvers<void>();
  const newer = Promise.withResolvers<void>();
  const told: string[] = [];
  const older = drivers.run(async (driver) => {
    let isOver = false;
    const over = work.promise.then(() => (isOver = true));
    await aTurn();
    await driver.turn(over, () => isOver);
    told.push("the older goes on");
  });
  const newest = drivers.run(() => newer.promise);
  await aTurn();
  await aTurn();
  expect(told).toEqual([]);
  work.resolve();
  await older;
  newer.resolve();
  await newest;
  expect(told).toEqual(["the older goes on"]);
});
