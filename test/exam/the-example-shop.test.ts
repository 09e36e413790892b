import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import shop from "../../examples/express-shop/shop.exam.ts";

test("the shop of the examples passes its exam", async () => {
  const { failures } = await exam({ ...shop, budget: { stories: 60 } });
  expect(failures.map(({ law, what }) => `${law}: ${what}`)).toEqual([]);
});
