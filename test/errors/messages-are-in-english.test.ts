import { createSimulator, replay } from "centavo";
import { afterEach, beforeEach, expect, test } from "vitest";
import * as z from "zod/mini";
import { callWith, tokensOf } from "../merchant/requests.ts";

// The merchant's code under test may use zod too, and have it speak another language.
const before = z.config().localeError;
beforeEach(() => {
  z.config({ localeError: () => "Ungültige Eingabe" });
});
afterEach(() => {
  z.config({ localeError: before });
});

test("an answer speaks English, whatever language the process has zod speak", async () => {
  const sim = createSimulator();
  const { access } = await tokensOf(sim);
  const { body } = await callWith(access, sim, "/api/payment-intent", { amount: 1.5 });
  expect(body["errors"]).toMatchObject([{ path: "amount", message: "must be a whole number" }]);
});

test("an error that a test gets speaks English too", async () => {
  const sim = createSimulator();
  expect(() => createSimulator({ baseUrl: 5 as never })).toThrow("the option baseUrl is 5. It takes the URL");
  expect(() => createSimulator({ credentials: { clientId: 5 as never } })).toThrow("not valid: it takes text");
  expect(() => createSimulator({ assumptions: { "checkout.lifetime": 5 as never } })).toThrow(
    "is 5. It takes a length of time",
  );
  expect(() => sim.paymentMethods.create({ cardNumber: 5 } as never)).toThrow("cardNumber must be text");
  const snapshot = sim.snapshot();
  const wrong = { ...snapshot, world: { ...snapshot.world, now: "today" as never } };
  expect(() => sim.restore(wrong, { edited: true })).toThrow('world.now is "today": it takes a number');
  await expect(replay({ ...sim.recording(), inputs: 5 } as never)).rejects.toThrow("inputs is 5: it takes a list");
});
