import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freePort } from "../free-port.ts";
import { centavoIn } from "./commands.ts";
import { credentials, runningShop } from "./running-shop.ts";
import { folderWith } from "./story-folder.ts";

/** The text of a story that orders by a visit, lets time pass, and reads the order. */
const ordering = (path: string, before = "", options = "{}", after = ""): string => `
  export default { title: "An order is paid", options: ${options}, script: async (stage) => {
    const { sim, clock, expect, merchantUrl } = stage;
    ${before}
    const read = async (path, method = "GET") => (await sim.visit(path, { method })).json();
    const order = "${path}" + sim.seed;
    expect(await read(order, "POST")).toBe("pending");
    await clock.settle({ strict: true });
    expect(await read(order)).toBe("paid");
    ${after}
  } };`;

async function play(folder: string, shop: string, port: number, ...words: string[]) {
  const { code, text } = await centavoIn(folder, "run", ".", "--merchant", shop, "--port", String(port), ...words);
  return { code, text };
}

describe("centavo run --merchant", () => {
  test("plays stories against a shop in another process, and prints before how to configure it", async () => {
    const port = await freePort();
    const shop = await runningShop(`http://127.0.0.1:${port}`);
    const { code, text } = await play(folderWith({ "order.mjs": ordering("/own/") }), shop.url, port);
    expect(text).toMatch(/1 of 1 story passed$/);
    expect(code).toBe(0);
    expect(shop.events).toEqual(["payment_intent.processing", "payment_intent.succeeded"]);
    const [before = ""] = text.split("order: An order is paid");
    for (const part of [
      `base URL        http://127.0.0.1:${port}\n`,
      `client id       ${credentials.clientId}\n`,
      `client secret   ${credentials.clientSecret}\n`,
      `webhook secret  ${credentials.webhookSecret}\n`,
      "The merchant's own clock does not move",
    ])
      expect(before).toContain(part);
  });

  test("sends events of resources without a webhookUrl to --webhook-path, or to the path that the story has", async () => {
    const port = await freePort();
    const shop = await runningShop(`http://127.0.0.1:${port}`);
    const plain = folderWith({ "order.mjs": ordering("/orders/") });
    expect(await play(plain, shop.url, port, "--webhook-path", "/hooks")).toMatchObject({ code: 0 });
    const named = folderWith({ "order.mjs": ordering("/orders/", "", '{ webhookUrl: "https://shop.example/hooks" }') });
    expect(await play(named, shop.url, port)).toMatchObject({ code: 0 });
    expect(await play(plain, shop.url, port)).toMatchObject({ code: 1 });
    expect(shop.events).toHaveLength(4);
  });

  test("plays the stories of several files one after the other, with ids of their own and the token that the shop keeps", async () => {
    const port = await freePort();
    const shop = await runningShop(`http://127.0.0.1:${port}`);
    const names = ["a", "b", "c", "d"];
    const log = "logins.txt";
    const after = `const { appendFileSync } = await import("node:fs");
      appendFileSync("${log}", sim.journal.entries.filter(({ details }) => details.path === "/oauth").length + " ");`;
    const folder = folderWith(
      Object.fromEntries(
        names.map((name) => [
          `${name}.mjs`,
          ordering("/own/", "", "{}", `process.chdir(import.meta.dirname); ${after}`),
        ]),
      ),
    );
    const { code, text } = await play(folder, shop.url, port);
    expect(text).toMatch(/4 of 4 stories passed$/);
    expect(code).toBe(0);
    expect(shop.events).toHaveLength(8);
    expect(readFileSync(join(folder, log), "utf8")).toBe("1 0 0 0 ");
  });

  test("stands for the app that a story connects, so that a story with visits plays both ways", async () => {
    const port = await freePort();
    const shop = await runningShop(`http://127.0.0.1:${port}`);
    const connect = `sim.connect("https://shop.example", () => { throw new Error("this app is not called"); });`;
    const options = '{ webhookUrl: "https://shop.example/hooks" }';
    const full = `expect(await (await sim.visit("https://shop.example/orders/1")).json()).toBe("unknown");`;
    const folder = folderWith({ "order.mjs": ordering("/orders/", connect, options, full) });
    expect(await play(folder, shop.url, port)).toMatchObject({ code: 0 });
    expect(shop.events).toHaveLength(2);
  });

  test("fails with a sentence when the merchant never calls, although the story itself does", async () => {
    const port = await freePort();
    const shop = await runningShop(`http://127.0.0.1:${await freePort()}`);
    const own = `await fetch(stage.merchant.baseUrl + "/api/transactions"); await stage.client.transactions.list();`;
    const folder = folderWith({
      "idle.mjs": `export default { title: "Nothing is asked of the shop", options: {}, script: async (stage) => { ${own} } };`,
    });
    const { code, text } = await play(folder, shop.url, port, "--junit", "junit.xml");
    expect(code).toBe(1);
    expect(text).toContain(
      `${shop.url} never called http://127.0.0.1:${port}, so no story has tested it. Configure your shop with this base URL`,
    );
    expect(readFileSync(join(folder, "junit.xml"), "utf8")).toContain("never called");
    const { text: json } = await play(folder, shop.url, port, "--json");
    expect(JSON.parse(json)).toMatchObject({
      passed: false,
      exitCode: 1,
      problem: expect.stringContaining("never called") as unknown,
      service: { baseUrl: `http://127.0.0.1:${port}`, credentials: { clientId: credentials.clientId } },
    });
  });

  test("says of a failed story what the merchant had to do with it", async () => {
    const port = await freePort();
    const shop = await runningShop(`http://127.0.0.1:${await freePort()}`);
    const connect = `sim.connect("https://shop.example", () => new Response()); merchantUrl.toUpperCase();`;
    const { code, text } = await play(folderWith({ "order.mjs": ordering("/own/", connect) }), shop.url, port);
    expect(code).toBe(1);
    expect(text).toContain(`${shop.url} made no call to http://127.0.0.1:${port} during this story.`);
    expect(text).toContain(
      "The story connects an app of its own at https://shop.example, and everything for it went to",
    );
    expect(text).toMatch(/npx centavo run order\.mjs --merchant http:\/\/127\.0\.0\.1:\d+ --port \d+ --seed \w+\n/);
  });

  test("prints the configuration to standard error with --json", async () => {
    const [port, free] = [await freePort(), await freePort()];
    const folder = folderWith({ "order.mjs": ordering("/own/") });
    const words = ["--merchant", `http://127.0.0.1:${free}`, "--port", String(port), "--json"];
    const { text, errors } = await centavoIn(folder, "run", ".", ...words);
    expect(errors).toContain(`base URL        http://127.0.0.1:${port}\n`);
    expect(JSON.parse(text)).toMatchObject({
      exitCode: 2,
      problem: expect.stringContaining("Nothing listens") as unknown,
    });
  });

  test("takes the credentials of a file or of the command line, and the same seed gives the same ids", async () => {
    const port = await freePort();
    const own = { clientId: "shop", clientSecret: "csec_fake_shop", webhookSecret: "whsec_c2hvcA==" };
    const shop = await runningShop(`http://127.0.0.1:${port}`, own);
    const folder = folderWith({ "order.mjs": ordering("/own/"), "credentials.json": JSON.stringify(own) });
    const seeded = ["--seed", "7", "--json", "--credentials"];
    const ids = [];
    for (const given of ["credentials.json", JSON.stringify(own)]) {
      const { code, text } = await play(folder, shop.url, port, ...seeded, given);
      const { stories } = JSON.parse(text) as { stories: { timeline: string }[] };
      expect(code, text).toBe(0);
      ids.push(/payment_intent (pi_\w+)/.exec(stories[0]?.timeline ?? "")?.[1]);
    }
    expect(ids[0]).toBeDefined();
    expect(ids[0]).toBe(ids[1]);
  });

  test("stamps webhooks with real time, although the clock of the story is elsewhere", async () => {
    const port = await freePort();
    const shop = await runningShop(`http://127.0.0.1:${port}`);
    const story = ordering("/own/", 'await clock.advance("1 year");', "{ fakeDate: true }");
    expect(await play(folderWith({ "order.mjs": story }), shop.url, port)).toMatchObject({ code: 0 });
    expect(shop.events).not.toContain("forged");
  });
});

describe("centavo run --merchant could not run", () => {
  const folder = folderWith({ "order.mjs": ordering("/own/") });

  test("where no merchant listens, and says so after the configuration; --wait waits", async () => {
    const [port, free] = [await freePort(), await freePort()];
    const { code, text } = await play(folder, `http://localhost:${free}`, port);
    expect(code).toBe(2);
    expect(text).toMatch(
      /base URL[^]*Nothing listens at http:\/\/localhost:\d+\. Start your shop with the configuration above, and then run this again/,
    );
    const late = await play(folder, `http://localhost:${free}`, port, "--wait", "0.3");
    expect(late.text).toContain(`Nothing listens at http://localhost:${free} within 0.3 s.`);
  });

  test("at a port that is taken", async () => {
    const port = await freePort();
    const server = createServer().listen(port, "127.0.0.1");
    const { code, text } = await play(folder, "http://localhost:1", port);
    server.close();
    expect(code).toBe(2);
    expect(text).toContain(`Port ${port} is taken, perhaps by another centavo serve. Use another --port`);
  });

  test.for([
    [["--merchant", "localhost:3000"], '--merchant: "localhost:3000" is not the origin of a shop.'],
    [["--merchant", "http://localhost:3000/shop"], "is not the origin of a shop"],
    [["--merchant", "http://localhost:3000", "--port", "0"], "--port 0 is any free port"],
    [["--merchant", "http://localhost:3000", "--webhook-path", "hooks"], '--webhook-path is "hooks", and takes a path'],
    [["--merchant", "http://localhost:3000", "--base-url", "pay"], '--base-url is "pay"'],
    [
      ["--merchant", "http://localhost:3000", "--credentials", '{"clientid":"a"}'],
      "credentials.clientid does not exist",
    ],
    [["--merchant", "http://localhost:3000", "--credentials", '{"secret'], "--credentials: the text begins as JSON"],
    [["--merchant", "http://localhost:3000", "--way", "memory"], "--merchant and --way memory exclude each other"],
    [["--merchant", "http://localhost:3000", "--digests", "a.json"], "--merchant and --digests exclude each other"],
    [["--port", "4010"], "--port needs --merchant <url>"],
    [["--webhook-path", "/hooks"], "--webhook-path needs --merchant <url>"],
  ] as const)("%j", async ([words, why]) => {
    const { code, text } = await centavoIn(folder, "run", ".", ...words);
    expect(code).toBe(2);
    expect(text).toContain(why);
    expect(text).not.toContain('{"secret');
  });

  test("a story whose timers follow the clock", async () => {
    const port = await freePort();
    const shop = await runningShop(`http://127.0.0.1:${port}`);
    const timers = folderWith({ "timers.mjs": ordering("/own/", "", "{ timers: true }") });
    const { code, text } = await play(timers, shop.url, port);
    expect(code).toBe(1);
    expect(text).toContain("no clock moves the timers of a merchant in another process. Play it without --merchant.");
  });
});
