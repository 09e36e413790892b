import { createClient } from "centavo/client";
import { expect, onTestFinished, test } from "vitest";
import { Page } from "../inspector/page.ts";
import { startServer } from "./server.ts";

/** How many payments are made between two weighings, and how many at a time. */
const PAYMENTS = 800;
const LANES = 8;
/** How much more the server may have in use later, in MiB. To keep the rows or resources of all payments would take several times as much. */
const MOST_GROWTH = 2;

test("a server stays flat while pages follow it, also one that reads nothing and those that come and go", async () => {
  const server = await startServer(["--keep", "500"]);
  const { clientId, clientSecret, url: baseUrl } = server;
  const client = createClient({ baseUrl, clientId, clientSecret });
  const asked = await fetch(`${server.url}/_centavo/api/v1/inspector`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.controlToken}` },
  });
  const page = await Page.at(((await asked.json()) as { readonly url: string }).url);
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const { signal } = leaving;
  let rows = 0;
  const reading = (async () => {
    for await (const { event, data } of page.follow("/_centavo/inspector/run", { signal }))
      if (event === "rows") rows += (data as readonly unknown[]).length;
  })();
  const { body } = await page.fetch("/_centavo/inspector/run", { signal });
  const pay = async (): Promise<void> => {
    const { id } = await client.paymentIntents.create({ amount: 10_000 });
    await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
  };
  const memory: number[] = [];
  for (let part = 0; part < 4; part += 1) {
    for (let count = 0; count < PAYMENTS; count += LANES) {
      await Promise.all(Array.from({ length: LANES }, pay));
      // A page that is opened, and left at once.
      const come = page.follow("/_centavo/inspector/run");
      await come.next();
      await come.return();
    }
    memory.push(await server.memory());
  }
  expect(body).not.toBeNull();
  leaving.abort();
  await expect(reading).rejects.toThrow(/abort/i);
  expect(rows).toBeGreaterThan(PAYMENTS);
  const [, settled = 0, ...later] = memory;
  expect(Math.max(...later), `in MiB after each part: ${memory.join(", ")}`).toBeLessThan(settled + MOST_GROWTH);
});
