import { expect, test } from "vitest";
import { createShop } from "../../examples/express-shop/shop.ts";
import { emptyStore } from "../../examples/express-shop/store.ts";
import { shakenIn } from "./in-process.ts";
import { suiteOfTheExpressShop } from "./suite-of-the-express-shop.ts";

const suite = Object.entries(suiteOfTheExpressShop({ createShop, emptyStore }));

test.for(suite)("the shop of the examples has no finding when %s", async ([title, ofShop]) => {
  const { plain, judged, findings, left } = await shakenIn({ [title]: ofShop });
  expect(plain.map(({ outcome }) => outcome)).toEqual([{ is: "passed" }]);
  expect(findings).toEqual([]);
  expect(left).toBe(0);
  expect(judged.filter(({ judgement }) => judgement.is === "borne").length).toBeGreaterThan(20);
});
