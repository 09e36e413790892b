import { createServer } from "node:http";
import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulator } from "centavo";
import type { FetchApp } from "centavo";
import { expect, test } from "vitest";

const shop = "https://shop.example";

function silent(): Promise<Response> {
  return new Promise(() => undefined);
}

test.for([
  ["a fetch handler that never settles", { fetch: silent }],
  ["a listener that never ends its response", { listener: () => undefined }],
  [
    "a listener that begins an answer and never ends it",
    { listener: (_request: unknown, response: ServerResponse) => response.write("a") },
  ],
] as const)("a visit of %s ends after receiverTimeout", async ([, app]) => {
  await using sim = createSimulator({ receiverTimeout: 20 });
  sim.connect(shop, app as FetchApp);
  await expect(sim.visit("/orders")).rejects.toMatchObject({
    code: "VISIT_FAILED",
    message: expect.stringMatching(
      /^The app connected at https:\/\/shop\.example did not answer GET https:\/\/shop\.example\/orders within 20 ms of real time\. .* raise receiverTimeout\.$/,
    ) as string,
  });
  expect(String(sim.journal)).toContain("did not answer GET https://shop.example/orders within 20 ms of real time");
});

test("a visit of a server of this machine ends after receiverTimeout, too", async () => {
  const server = createServer(() => undefined).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
  await using sim = createSimulator({ receiverTimeout: 20 });
  await expect(sim.visit(url)).rejects.toThrow(/did not answer GET .* within 20 ms of real time/);
  server.closeAllConnections();
  server.close();
});

test("a visit of an app that does not start says so", async () => {
  await using sim = createSimulator({ receiverTimeout: 20 });
  sim.connect(shop, { routing: () => undefined, ready: silent });
  await expect(sim.visit("/orders")).rejects.toThrow(/did not start within 20 ms of real time\. Start it before/);
});

test("a handler is told that its visitor has given up", async () => {
  await using sim = createSimulator({ receiverTimeout: 20 });
  let seen: AbortSignal | undefined;
  sim.connect(shop, ({ signal }: Request) => {
    seen = signal;
    return silent();
  });
  await expect(sim.visit("/orders")).rejects.toThrow("did not answer");
  expect(seen?.aborted).toBe(true);
});

test("a body may take longer than receiverTimeout, once its head is there", async () => {
  await using sim = createSimulator({ receiverTimeout: 20 });
  let more: () => void = () => undefined;
  sim.connect(
    shop,
    () =>
      new Response(
        new ReadableStream({
          start(controller) {
            more = () => {
              controller.enqueue(new TextEncoder().encode("late"));
              controller.close();
            };
          },
        }),
      ),
  );
  const answer = await sim.visit("/orders");
  // A visit that began later ends by its own time, and so the time of the first has passed.
  sim.connect(shop, { fetch: silent });
  await expect(sim.visit("/orders")).rejects.toThrow("did not answer");
  more();
  expect(await answer.text()).toBe("late");
});
