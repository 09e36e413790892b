import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { describe, expect, test } from "vitest";
import { served } from "../../cli/served.ts";
import { Merchant } from "../../merchant.ts";
import { open, worlds } from "../served.ts";
import { killedCopyOf, newStateFile } from "./state-files.ts";

describe("a server with a state file", () => {
  test("lets its owner alone read what it writes", async () => {
    const state = newStateFile();
    await using server = await serve(createSimulator(), { state });
    await open(server, "ana");
    const folder = dirname(state);
    const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
    expect(Object.fromEntries(modes)).toEqual({ "shop.db": 0o600, "shop.db-wal": 0o600 });
  });

  test.for(["stopped", "killed"])(
    "that was %s comes back with its default world and those that were named",
    async (end) => {
      const state = newStateFile();
      const sim = createSimulator();
      const first = await serve(sim, { state });
      const merchant = await Merchant.of(sim);
      const id = await merchant.pay({}, "pm_card_approved");
      const opened = await open(first, "ana", { seed: 7, now: "2026-03-01T00:00:00Z" });
      await open(first, "ben", {});
      await worlds(first, "/ben", "DELETE");
      const file = end === "killed" ? killedCopyOf(state) : state;
      await first.close();

      const again = createSimulator();
      const second = await serve(again, { state: file });
      expect(again.intents.get(id)?.status).toBe("processing");
      expect(again.journal.digest()).toBe(sim.journal.digest());
      const list = await worlds(second, "", "GET");
      expect(await list.json()).toMatchObject({
        worlds: [{ name: "ana", seed: opened.seed, now: opened.now, credentials: opened.credentials }],
      });
      expect((await open(second, "ana", { seed: 7, now: "2026-03-01T00:00:00Z" })).now).toBe(opened.now);
      await second.close();
    },
  );

  test("refuses a default world with other options, and lets the file go", async () => {
    const state = newStateFile();
    await (await serve(createSimulator({ seed: 1 }), { state })).close();
    await expect(serve(createSimulator({ seed: 2 }), { state })).rejects.toThrow(
      'a world with other options: seed is "1" there, and "2" here. Leave these options out',
    );
    await (await serve(createSimulator({ seed: 1 }), { state })).close();
  });

  test("keeps a second server from the file", async () => {
    const state = newStateFile();
    await using first = await serve(createSimulator(), { state });
    await expect(serve(createSimulator(), { state })).rejects.toThrow(/another server has it open/);
    expect((await fetch(`${first.url}/_centavo/health`)).status).toBe(200);
  });
});

test("the command starts again with the ids, secrets and time of its file, and plans the faults of its options once", async () => {
  const options = { state: newStateFile(), clock: "manual", faults: [{ kind: "response.lost", times: 1 }] } as const;
  const first = await served(options);
  await first.client.plans.list().catch(() => undefined);
  await first.server.stop(10_000);
  const second = await served(options);
  const told = ({ printed }: typeof first): readonly string[] =>
    String(printed[0])
      .split("\n")
      .filter((line) => /client id|client secret|seed|Virtual time is/.test(line));
  expect(told(second)).toEqual(told(first));
  await second.client.plans.list();
  expect(second.printed[0]).toContain("then starts it again where it was");
});
