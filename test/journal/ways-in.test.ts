import { intercept } from "centavo/node";
import { serve } from "centavo/server";
import { expect, test } from "vitest";
import { script, simulator } from "./script.ts";

test("the same script has the same digest through memory, through interception and through a socket", async () => {
  const memory = await script(simulator());

  const intercepted = simulator();
  const network = intercept(intercepted);
  const throughInterception = await script(intercepted, (input, init) => fetch(input, init));
  network.close();

  const served = simulator();
  await using server = await serve(served);
  const throughSocket = await script(served, (input, init) => fetch(input, init), server.url, server.url);

  expect(throughInterception).toBe(memory);
  expect(throughSocket).toBe(memory);
});
