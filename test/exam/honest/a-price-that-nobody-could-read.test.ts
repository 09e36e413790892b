import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { tokenOf } from "../../../src/exam/token.ts";
import { placed } from "../placed.ts";
import { ticketOffice } from "./ticket-office.ts";

test("a price from before an act is not the price after it, when the merchant's program died in between", async () => {
  const token = tokenOf({
    flow: { name: "checkout paid after the cart changed", steps: [], played: 2 },
    troubles: [placed("write 9", "crash before"), placed("call checkout.polling 1", "response.late 3s")],
  });
  const verdict = await exam({ ...ticketOffice, seed: 959, replay: token });
  expect(verdict.passed, String(verdict)).toBe(true);
});
