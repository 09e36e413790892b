import { simulated } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { expect, test } from "vitest";

test("withSimulator is refused", () => {
  expect(() => withSimulator(test)).toThrow(
    /withSimulator needs vitest 1\.5 or later.* write test\("…", simulated\(async/s,
  );
});

test(
  "simulated makes a payment",
  simulated(async ({ client }) => {
    const { id } = await client.paymentIntents.create({ amount: 10000 });
    expect(id).toHaveStatus("requires_payment_method");
  }),
);

test(
  "simulated fails a test that swallowed an error",
  simulated(async ({ network }) => {
    expect(network.kind).toBe("intercept");
    await fetch("https://api.pay.exmaple/oauth").catch(() => undefined);
  }),
);
