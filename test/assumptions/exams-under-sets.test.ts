import { exam } from "centavo/exam";
import { describe, expect, test } from "vitest";
import expressShop from "../../examples/express-shop/shop.exam.ts";
import { examOfSmallShop } from "../exam/small-shop.ts";
import { gatewayTo } from "./gateway.ts";
import { sets } from "./sets.ts";

describe.each(Object.entries(sets))("under the %s set of values", (_name, assumptions) => {
  test("the exam of the Express shop finds nothing", async () => {
    const verdict = await exam({
      ...expressShop,
      assumptions,
      budget: { stories: 30 },
      open(opening) {
        const { send, behind } = gatewayTo(opening.sim, assumptions, opening.fetch);
        return behind(expressShop.open({ ...opening, fetch: send }));
      },
    });
    expect(verdict.failures, String(verdict)).toEqual([]);
    expect(verdict.stories).toBe(30);
  });

  test("the exam finds a shop that repeats a payment without a key", async () => {
    const shop = examOfSmallShop("no idempotency keys");
    const verdict = await exam({
      ...shop,
      assumptions,
      budget: { stories: 100, failures: 1 },
      async open(opening) {
        const { send, behind } = gatewayTo(opening.sim, assumptions, opening.fetch);
        return behind((await shop.open({ ...opening, fetch: send })) as (request: Request) => Promise<Response>);
      },
    });
    expect(verdict.failures.map(({ law }) => law)).toEqual(["charged-once"]);
  });
});
