import { expect, test } from "vitest";
import { toneOfStatus } from "../../src/report/tones.ts";
import { paymentService } from "../../src/simulator/payment-service.ts";

test.for(paymentService.lifecycles)("every status of $lifecycle.name means something for the money", ({ statusOf }) => {
  const meaningless = Object.values(statusOf).filter((status) => toneOfStatus(status) === "plain");
  expect(meaningless).toEqual([]);
});
