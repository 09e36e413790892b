import { expect, test } from "vitest";
import { simulate, post } from "./world.ts";

test("a service that declares no limit never answers 429", async () => {
  const sim = simulate();
  const answers = await Promise.all(
    Array.from({ length: 500 }, () => post(sim, "/v1/charges", { amount: "50", source: "tok" })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});
