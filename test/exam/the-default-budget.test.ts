import { exam } from "centavo/exam";
import "centavo/vitest";
import { expect, test } from "vitest";
import { examOfSmallShop } from "./small-shop.ts";

test("a shop without mistakes passes within the default budget", async () => {
  expect(await exam(examOfSmallShop())).toPass();
});
