import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "centavo/client";
import { expect, test } from "vitest";
import { woundTime } from "../clock-drivers/wound-time.ts";
import { centavoIn } from "./commands.ts";
import { startServer } from "../../src/cli/serve.ts";
import { storyIn } from "../../src/cli/served-story.ts";
import { served } from "./served.ts";
import { folderWith, story } from "./story-folder.ts";

const scenarios = join(import.meta.dirname, "../../scenarios");

test("--story is played, with its time standing, before the first request, and the world goes on from there", async () => {
  const time = woundTime();
  const played = await storyIn("renewal-fails-past-due-recovers-on-the-second-retry.ts", scenarios);
  const { printed, client } = await served({ story: played });
  expect(printed.join("\n")).toContain(`Played: ${played.title}`);
  const [subscription] = (await client.subscriptions.list()).items;
  expect(subscription?.status).toBe("active");
  const [, moment = ""] = /^Virtual time is (\S+); it follows real time/m.exec(printed.join("\n")) ?? [];
  expect(Date.parse(moment)).toBeGreaterThan(Date.parse("2026-02-01"));
  time.jump(40 * 86_400_000);
  const { currentPeriodStart = "" } = await client.subscriptions.get(subscription?.id ?? "");
  expect(Date.parse(currentPeriodStart)).toBeGreaterThan(Date.parse(moment));
});

test("every story of the scenarios plays as centavo run plays it", async () => {
  const files = readdirSync(scenarios).filter((name) => name.endsWith(".ts") && name !== "shop.ts");
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const { server } = await served({ story: await storyIn(file, scenarios), quiet: true });
    await server.close();
  }
});

test("the options of the story apply where the command has none", async () => {
  const folder = folderWith({
    "story.mjs": `export default {
      title: "A story",
      options: { now: "2030-05-01T00:00:00Z", assumptions: { "http.success-status": 201 }, clock: "auto", fakeDate: true, unusedFaults: "allow" },
      script: async ({ clock }) => clock.advance("1 day"),
    };`,
  });
  const shown = async (...options: string[]): Promise<string> =>
    (await centavoIn(folder, "serve", "--port", "0", "--story", "story.mjs", "--clock", "manual", ...options)).text;
  expect(await shown()).toContain("Virtual time is 2030-05-02T00:00:00.000Z; it stands");
  expect(await shown("--now", "2031-01-01T00:00:00Z")).toContain("Virtual time is 2031-01-02T00:00:00.000Z; it stands");
});

test("what a story connects stays, and what it defers is done when the server stops", async () => {
  const done: string[] = [];
  const printed: string[] = [];
  const output = { print: (text: string) => void printed.push(text), printError: () => undefined, colours: false };
  const shop = {
    title: "A shop that stays",
    options: {},
    script: async ({ sim, defer }: Parameters<Awaited<ReturnType<typeof storyIn>>["script"]>[0]) => {
      sim.connect("https://shop.example", () => {
        done.push("a webhook");
        return new Response();
      });
      for (const name of ["first", "last"]) defer(() => void done.push(name));
    },
  };
  const server = await startServer(
    { port: 0, json: true, webhookUrl: "https://shop.example/hooks", story: shop },
    output,
  );
  const { credentials } = JSON.parse(printed[0] ?? "") as { credentials: { clientId: string; clientSecret: string } };
  const client = createClient({ baseUrl: server.url, ...credentials });
  const { id } = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_display_details" });
  await server.stop(60_000);
  expect(done).toEqual(["a webhook", "last", "first"]);
});

test("a story that fails is told with its error, and the command exits with 1", async () => {
  const folder = folderWith({ "story.mjs": story('stage.expect(1, "one is not two").toBe(2);') });
  const { code, text, errors } = await centavoIn(folder, "serve", "--port", "0", "--story", "story.mjs");
  expect(code).toBe(1);
  expect(errors).toMatch(/^The story story\.mjs has failed:\nAssertionError: one is not two/);
  expect(text).not.toContain("Centavo answers");
});

test.for([
  ["none.mjs", "export const other = 5;", 'the file "none.mjs" exports no story. Export one as the default'],
  [
    "two.mjs",
    "const script = () => undefined; export const one = { title: 'One', script, options: {} }; export const two = { title: 'Two', script, options: {} };",
    'the file "two.mjs" exports 2 stories, and none is the default export',
  ],
] as const)("a file that leaves open which story is meant is refused: %s", async ([name, text, message]) => {
  await expect(centavoIn(folderWith({ [name]: text }), "serve", "--port", "0", "--story", name)).rejects.toThrow(
    message,
  );
});
