import { PAY } from "../../src/service/test-lines.ts";
import { VERIFIED, VERIFY } from "./text.ts";
import type { TextsOf } from "./text.ts";

export const clockTexts: TextsOf<"clock"> = {
  "clock.skew": {
    does: "The service's clock differs from yours.",
    hurts:
      "A server's clock drifts by minutes. A shop without a tolerance refuses every webhook, or takes every token for expired.",
    fields: {
      by: 'How far the stamps are off: `"10 minutes"`. At least 1 ms.',
      direction: '`"ahead"`, which is the default, or `"behind"`.',
    },
    sees: 'The stamp of each webhook signature, and `iat` and `exp` of each access token, are wrong by this much. `stamp` restricts it to one of the two: `"webhook"` or `"token"`.',
    should:
      "Choose your tolerances, and refuse what is beyond them. Go by `expires_in`, and by a 401 when a token has expired.",
    links: "[When the clock is wrong](../guide/faults.md#when-the-clock-is-wrong)",
    options: { stamp: "webhook", by: "10 minutes" },
    example: {
      title: "a stamp from the future is refused",
      before: VERIFIED,
      after: `sim.faults.add({ kind: "webhook.drop", event: "payment_intent.processing" });
${PAY}
await sim.clock.advance("10 seconds");
expect(answers).toEqual([401, 200]);`,
      imports: VERIFY,
    },
  },
};
