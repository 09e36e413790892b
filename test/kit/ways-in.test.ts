import { intercept } from "centavo/node";
import { serve } from "centavo/server";
import { expect, test } from "vitest";
import { simulate, post } from "./world.ts";

test("fetch reaches the API at its own address while it is intercepted", async () => {
  const sim = simulate();
  using _network = intercept(sim);
  const response = await post({ fetch }, "https://api.charges.example/v1/charges", {
    amount: "1250",
    source: "tok_visa",
  });
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ object: "charge", status: "pending" });
});

test("a server serves it on a loopback port", async () => {
  const sim = simulate();
  await using server = await serve(sim);
  const response = await post({ fetch }, `${server.url}/v1/charges`, { amount: "1250", source: "tok_visa" });
  expect(await response.json()).toMatchObject({ object: "charge" });
});
