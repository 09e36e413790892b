/**
 * Prints what the inspector's page takes for one thing that a reader does in a run of so many entries, from the event to the picture, in
 * milliseconds of the page's processor time: the slowest of some letters typed into the search, or of some jumps in the timeline.
 */
import { createRequire } from "node:module";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { serve } from "centavo/server";
import { median, root } from "./measure.ts";

const ROUNDS = 9;
const EXECUTABLE = "/usr/bin/chromium-headless-shell";
const SEARCHES = ["p", "pa", "pay", "payment", "payment-intent", "order 1", "order 17", "nothing like it", ""];

const [what, count] = process.argv.slice(2);
const sim = createSimulator({ keep: 20_000 });
const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
for (let number = 1; sim.journal.length < Number(count); number += 1) {
  const { id } = await client.paymentIntents.create({ amount: 49_900, description: `order ${number}` });
  await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  await sim.clock.settle();
}
const server = await serve(sim);

/** What is used of Playwright, which the tests in a browser install. */
interface Chromium {
  launch(options: object): Promise<{ newPage(): Promise<Page>; close(): Promise<void> }>;
}
interface Page {
  goto(url: string): Promise<unknown>;
  evaluate(script: string): Promise<unknown>;
  context(): { newCDPSession(page: Page): Promise<Session> };
}
interface Session {
  send(method: string, params?: object): Promise<unknown>;
}

const { chromium } = createRequire(join(root, "test/browser/package.json"))("playwright-core") as {
  readonly chromium: Chromium;
};
const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox", "--disable-gpu"] });
const page = await browser.newPage();
await page.goto(server.inspectorUrl());
const isThere = `/ of ${sim.journal.length.toLocaleString("en")} /.test(document.querySelector("output")?.textContent)`;
while (!(await page.evaluate(isThere)));
const session = await page.context().newCDPSession(page);
await session.send("Performance.enable", { timeDomain: "threadTicks" });

/** How long the page's thread has worked, in milliseconds. */
async function worked(): Promise<number> {
  const { metrics } = (await session.send("Performance.getMetrics")) as {
    readonly metrics: readonly { readonly name: string; readonly value: number }[];
  };
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
}

const PAINTED = "await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));";
const acts =
  what === "search"
    ? SEARCHES.map(
        (text) =>
          `const field = document.querySelector("#search"); field.value = ${JSON.stringify(text)}; field.dispatchEvent(new Event("input", { bubbles: true }));`,
      )
    : SEARCHES.map(
        (_, index) =>
          `const list = document.querySelector(".rows"); list.scrollTop = list.scrollHeight * ${(index * 4) % 9} / 9;`,
      );
const taken = acts.map((): number[] => []);
for (let round = 0; round < ROUNDS; round += 1)
  for (const [index, act] of acts.entries()) {
    const before = await worked();
    await page.evaluate(`(async () => { ${act} ${PAINTED} })()`);
    taken[index]?.push((await worked()) - before);
  }
console.log(Math.max(...taken.map(median)));
await browser.close();
await server.close();
process.exit(0);
