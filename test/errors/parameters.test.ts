import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { answerOf } from "../merchant/answers.ts";
import type { Answer } from "../merchant/answers.ts";
import { callWith, tokensOf } from "../merchant/requests.ts";

const MOST = 10_000;
const sim = createSimulator();
const { access } = await tokensOf(sim);
const parameters = (count: number): string => Array.from({ length: count }, (_, index) => `x${index}=1`).join("&");
const refused = [{ path: "", message: "must have at most 10000 parameters", code: "validation_error" }];

const ways: readonly (readonly [string, (text: string) => Promise<Answer>])[] = [
  ["a query", (text) => callWith(access, sim, `/api/transactions?${text}`)],
  ["a form", async (text) => answerOf(await sim.fetch("/oauth", { method: "POST", body: new URLSearchParams(text) }))],
];

describe.each(ways)("%s", (_, send) => {
  test("of 10 000 parameters is read", async () => {
    expect((await send(parameters(MOST))).body.errors).not.toEqual(refused);
  });

  test.each([
    ["of one more", parameters(MOST + 1)],
    ["of the same name a quarter of a million times", "a&".repeat(250_000)],
  ])("%s is refused before its parameters are looked at", async (__, text) => {
    const { status, body } = await send(text);
    expect([status, body.errors]).toEqual([400, refused]);
  });
});
