import { expect, test } from "vitest";
import { woundTime } from "../clock-drivers/wound-time.ts";
import { centavo } from "./commands.ts";
import { served } from "./served.ts";

test.for([
  [[], "it follows real time, and the control API moves it further"],
  [["--clock", "real"], "it follows real time, and"],
  [["--clock", "real:60"], "it follows real time 60 times as fast, and"],
  [["--clock", "auto"], "after each request it skips to whatever is due within 10 s, and"],
  [["--clock", "manual"], "it stands until the control API moves it."],
] as const)("serve %j says how time moves: %s", async ([options, how]) => {
  const { text } = await centavo("serve", "--port", "0", "--now", "2030-05-01T00:00:00Z", ...options);
  expect(text).toMatch(/^Virtual time is 2030-05-01T00:/m);
  expect(text).toContain(`Z; ${how}`);
});

test.for(["fast", "real:", "real:x", "real:-1", "REAL", ""])("serve --clock %j is refused", async (clock) => {
  await expect(centavo("serve", "--port", "0", "--clock", clock)).rejects.toThrow(
    "A clock is real, real:60 for a minute in each second, auto or manual.",
  );
});

test.for(["real:0", "real:10000000000"])("serve --clock %s is refused for its factor", async (clock) => {
  await expect(centavo("serve", "--port", "0", "--clock", clock)).rejects.toThrow("a factor is above 0");
});

test("without --clock a payment is decided after two seconds of real time, and no request moves it on", async () => {
  const time = woundTime();
  const { client } = await served({ now: "2030-05-01T00:00:00Z" });
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  const statuses: string[] = [];
  for (const passed of [0, 1999, 1]) {
    await time.pass(passed);
    statuses.push((await client.paymentIntents.status(id)).status);
  }
  expect(statuses).toEqual(["processing", "processing", "succeeded"]);
});

test("under --clock manual time stands", async () => {
  const time = woundTime();
  const { client } = await served({ clock: "manual" });
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  await time.pass(86_400_000);
  expect((await client.paymentIntents.status(id)).status).toBe("processing");
});
