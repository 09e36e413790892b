import type { FaultSection } from "../../kit/faults/text.ts";
import { CREATE, PAY } from "../test-lines.ts";
import type { processorFaults } from "./faults.ts";

const FIRES = "[When a processor fault fires](../guide/faults.md#when-a-processor-fault-fires)";
const LATE = "[Stories of late decisions](../guide/faults.md#stories-of-late-decisions)";

/** What the reference says of the faults of the processor. Only `npm run docs` reads it. */
export const faultSection: FaultSection<(typeof processorFaults)[number]> = {
  title: "The processor",
  intro: "These decide what the bank does with a charge.",
  guide: "[faults.md](../guide/faults.md#faults-of-the-processor)",
  selectors: "../guide/faults.md#when-a-processor-fault-fires",
  texts: {
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
      sees: "No decision and no event. A session stays `processing` beyond `expiresAt`. A subscription stays `incomplete` at its first payment. At a renewal it stays `active` with an open invoice, because nothing has failed, and its later invoices wait (`subscription.open-invoices`); after a day the journal has a warning. All of them refuse a second payment.",
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
  },
};
