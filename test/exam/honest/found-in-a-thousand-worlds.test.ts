import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { flowsOf } from "../../../src/exam/flows.ts";
import { readOptions } from "../../../src/exam/read-options.ts";
import type { Flow } from "../../../src/exam/story.ts";
import { tokenOf } from "../../../src/exam/token.ts";
import { judge } from "../laws/judge.ts";
import { placed } from "../placed.ts";
import { club } from "./club.ts";
import { pollingShop } from "./polling-shop.ts";
import { queueingShop } from "./queueing-shop.ts";
import { workingShop } from "./working-shop.ts";

test("twelve customers who retry together while the service is down are no storm of calls", async () => {
  const story = {
    flow: flowsOf(readOptions(workingShop)).find(({ name }) => name === "twelve customers order at once") as Flow,
    troubles: [placed("call oauth.token 1", "response.late 3s"), placed("call payment-intent.confirm 12", "outage")],
    // The order in which the twelve are answered, under which the most calls fall into one second.
    schedule: 30_721_372,
  };
  const verdict = await exam({ ...workingShop, seed: 3000, replay: tokenOf(story) });
  expect(verdict.failures.map(({ law, what }) => `${law}: ${what}`)).toEqual([]);
});

test("twelve customers whose logins are lost with the program are no storm of tokens", async () => {
  const crash = ["call oauth.token 10", "crash after"] as const;
  expect(await judge(pollingShop, "twelve customers order at once", crash)).toEqual([]);
});

test.for(["silence", "response.lost", "request.malformed"])(
  "another system of the merchant gives up when its own call is struck: %s",
  async (trouble) => {
    const another = ["act order 1", "payment of another system"] as const;
    for (const point of ["call payment-intent.create 1", "call payment-intent.create 2", "call oauth.token 2"])
      expect(await judge(queueingShop, "order with the challenge failed", another, [point, trouble])).toEqual([]);
  },
);

test("a club whose new card is refused because every call after a 401 is lost is not accused", async () => {
  const silence = ["call subscription.change-payment-method 1", "silence"] as const;
  expect(await judge(club, "join with a renewal declined then another card", silence)).toEqual([]);
});
