import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { tokenOf } from "../../../src/exam/token.ts";
import { ticketOffice } from "./ticket-office.ts";

test("a price from before an act is not the price after it, when the merchant's program died in between", async () => {
  const call = { kind: "call", subject: "checkout.polling", occurrence: 1 } as const;
  const write = { kind: "write", subject: "", occurrence: 9 } as const;
  const token = tokenOf({
    flow: { name: "checkout, paid after the cart changed", steps: [], played: 2 },
    troubles: [
      { point: write, trouble: "crash before" },
      { point: call, trouble: "response.late 3s" },
    ],
  });
  const verdict = await exam({ ...ticketOffice, seed: 959, replay: token });
  expect(verdict.passed, String(verdict)).toBe(true);
});
