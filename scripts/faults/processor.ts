import { CREATE, PAY, VERIFIED, VERIFY } from "./text.ts";
import type { FaultKind, TextsOf } from "./text.ts";

const FIRES = "[When a processor fault fires](../guide/faults.md#when-a-processor-fault-fires)";
const LATE = "[Stories of late decisions](../guide/faults.md#stories-of-late-decisions)";

export const processorTexts: TextsOf<Extract<FaultKind, `processor.${string}` | `clock.${string}`>> = {
  "processor.decline": {
    does: "The bank declines the charge, whatever the payment method would do.",
    hurts:
      "A card that was good yesterday has no money today. A shop that sends goods on `processing` gives them away.",
    fields: {
      code: "The decline code, such as `insufficient_funds`: a row of [test-methods.md](test-methods.md).",
      synchronous:
        "`true` to decline in the answer to the call, before any challenge. By default the payment is declined later.",
    },
    sees: "The payment goes into `processing` and ends `failed` with that code. With `synchronous` the call itself answers: 402 `INSUFFICIENT_FUNDS` for `insufficient_funds`, 200 with the status `failed` for every other code.",
    should:
      "Tell the customer what the bank said if the code helps, offer another method, deliver nothing. Never show `fraudulent`, `lost_card` and `stolen_card`.",
    links: `${FIRES} · [Cookbook: goods on \`processing\`](../guide/cookbook.md#goods-on-processing)`,
    options: { code: "insufficient_funds" },
    example: {
      title: "a good card is declined for once",
      after: `${PAY}
await sim.clock.settle();
expect(sim.intents.get(id)).toMatchObject({ status: "failed", declineCode: "insufficient_funds" });`,
    },
  },
  "processor.unavailable": {
    does: "The service is up, and the processor behind it is down.",
    hurts: "A bank has an outage. A shop that takes the 500 for the end loses every order of those hours.",
    fields: {},
    sees: "500 `INTERNAL_ERROR`. The intent keeps its method and stays `requires_confirmation`; a session stays `pending`. A renewal or retry fails with `processor_unavailable`, and the next retry comes on its day.",
    should:
      "Send the same call again, with a growing pause: nothing was charged. An intent may be confirmed again without naming its method. At a renewal do nothing, because the service retries.",
    links: FIRES,
    options: {},
    example: {
      title: "the processor is down for one call",
      after: `${CREATE}
const confirm = () => client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
await expect(confirm()).rejects.toMatchObject({ status: 500, code: "INTERNAL_ERROR" });
expect(sim.intents.get(id)?.status).toBe("requires_confirmation"); // nothing was charged
expect((await confirm()).status).toBe("processing");`,
    },
  },
  "processor.stuck": {
    does: "The payment stays in `processing` for good.",
    hurts:
      "A bank never decides. A shop that takes silence for failure and charges another way charges twice when somebody frees the payment by hand.",
    fields: {},
    sees: "No decision, no event, no timer on the clock. A session stays `processing` beyond `expiresAt`; a subscription stays `incomplete`, or its later invoices wait. All of them refuse a second payment.",
    should: "Poll, set your own time limit, and let a person decide.",
    links: FIRES,
    options: {},
    example: {
      title: "a payment that is never decided",
      after: `${PAY}
await sim.clock.advance("30 days");
expect((await client.paymentIntents.status(id)).status).toBe("processing");
expect(sim.webhooks.events({ type: "payment_intent.succeeded" })).toEqual([]);`,
    },
  },
  "processor.late": {
    does: "The decision on a payment comes late.",
    hurts: "A bank decides the next day. A shop that gave the order up after an hour now has the money and no order.",
    fields: { delay: 'How long `processing` lasts, in virtual time: `"20 minutes"`. At least 1 ms.' },
    sees: "`processing` lasts for `delay` instead of `intent.processing-time`. Then the payment ends as the method says.",
    should: "Expect a success after you gave up: deliver, or refund. Never decide by the time alone.",
    links: LATE,
    options: { delay: "20 minutes" },
    example: {
      title: "a payment succeeds twenty minutes later",
      after: `${PAY}
await sim.clock.advance("19 minutes");
expect(sim.intents.get(id)?.status).toBe("processing");
await sim.clock.advance("1 minute");
expect(sim.intents.get(id)?.status).toBe("succeeded");`,
    },
  },
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
