import { createSimulator } from "centavo";
import { handlers } from "centavo/msw";
import { setupWorker } from "msw/browser";
import { expect, test } from "vitest";

test("the worker of MSW answers every fetch of the page", async () => {
  const sim = createSimulator({ baseUrl: "https://api.pay.example" });
  const worker = setupWorker(...handlers(sim));
  await worker.start({ quiet: true });
  expect((await fetch("https://api.pay.example/.well-known/jwks.json")).status).toBe(200);
  await worker.stop();
});
