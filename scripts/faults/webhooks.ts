import { PAY } from "../../src/service/test-lines.ts";
import { RECEIVED, shop, VERIFIED, VERIFY } from "./text.ts";
import type { TextsOf } from "./text.ts";

const EVENT = "[What becomes of an event](../guide/faults.md#what-becomes-of-an-event)";
const WINDOW = `${EVENT}, windows of time among them`;
const ATTEMPT = "[What is wrong with an attempt](../guide/faults.md#what-is-wrong-with-an-attempt)";
const ANSWER = "[What becomes of an answer](../guide/faults.md#what-becomes-of-an-answer)";
const TWICE = "[Cookbook: an event that arrives twice](../guide/cookbook.md#an-event-that-comes-twice)";
const FORGED = "[hostile-deliveries.md](../guide/hostile-deliveries.md)";
const WITHIN = 'How long the window is, in virtual time from its first event: `"1 minute"`. At least 1 ms.';

const REFUSED = `sim.faults.add({ kind: "webhook.drop", event: "payment_intent.processing" });
${PAY}
await sim.clock.advance("10 seconds");
expect(answers).toEqual([401, 200]); // the retry is right`;

/** A shop that keeps the status of the payments that it knows, and one such payment. */
const shopOfKnownOrders = `const orders = new Map<string, string>();
${shop(`const { data } = (await request.json()) as { data: { id: string; attributes: { status: string } } };
if (orders.has(data.id)) orders.set(data.id, data.attributes.status);`)}`;
const payKnownOrder = `const { id } = await client.paymentIntents.create({ amount: 10000 });
orders.set(id, "pending");
await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
await sim.clock.settle();`;

export const webhookTexts: TextsOf<"webhook"> = {
  "webhook.drop": {
    does: "An event is never sent.",
    hurts: "A queue loses a message. The money is taken, and the order waits for ever.",
    fields: {},
    sees: "Nothing. The event's status is `dropped`, and `sim.webhooks.redeliver` still sends it.",
    should: "Ask the service for what it waits for, such as in a job every few minutes.",
    links: `${EVENT} · [Cookbook: nobody asks](../guide/cookbook.md#an-order-that-waits-for-a-lost-event)`,
    options: { event: "payment_intent.succeeded" },
    example: {
      title: "a paid order whose event is lost",
      before: RECEIVED,
      after: `${PAY}
await sim.clock.advance("1 day");
expect(received).toEqual(["payment_intent.processing"]);
expect((await client.paymentIntents.status(id)).status).toBe("succeeded"); // whoever asks knows`,
    },
  },
  "webhook.delay": {
    does: "An event comes late.",
    hurts: "A queue is long on a busy day. The customer looks at an order that says unpaid, and pays again.",
    fields: { delay: 'How late it is, in virtual time: `"20 minutes"`. At least 1 ms.' },
    sees: "The event `delay` later, with the time at which it happened.",
    should: "Go by `createdAt` and status, not by arrival. Ask the service when the customer comes back.",
    links: EVENT,
    options: { event: "payment_intent.succeeded", delay: "20 minutes" },
    example: {
      title: "the news comes twenty minutes late",
      before: RECEIVED,
      after: `${PAY}
await sim.clock.advance("10 minutes");
expect(received).not.toContain("payment_intent.succeeded");
await sim.clock.advance("11 minutes");
expect(received).toContain("payment_intent.succeeded");`,
    },
  },
  "webhook.duplicate": {
    does: "An event that was delivered comes again.",
    hurts: "The service promises at least once, not once. A handler that counts deliveries sends two parcels.",
    fields: {
      copies: "How many copies come, from 1 to 100. By default 1.",
      delay: 'How long after the previous one each comes, in virtual time: `"1 day"`. By default at once.',
    },
    sees: "The same id again. These are not retries, and a 410 ends them.",
    should: "Remember event ids, and answer 200 to one that it knows.",
    links: `${EVENT} · ${TWICE}`,
    options: { event: "payment_intent.succeeded" },
    example: {
      title: "an event that arrives twice is taken once",
      before: `const parcels = new Set<string>();
let deliveries = 0;
${shop(`const { id, type } = (await request.json()) as { id: string; type: string };
if (type !== "payment_intent.succeeded") return new Response();
deliveries += 1;
parcels.add(id);`)}`,
      after: `${PAY}
await sim.clock.advance("1 hour");
expect([deliveries, parcels.size]).toEqual([2, 1]);`,
    },
  },
  "webhook.new-id": {
    does: "The same news arrives as a second event, under another id.",
    hurts:
      "A service that is restored from a backup tells its news again. Remembered event ids do not help, and two parcels leave.",
    fields: { delay: 'How long after the first it comes, in virtual time: `"1 hour"`. By default at once.' },
    sees: "The same content under a second event id.",
    should: "Make its own change idempotent: an order is paid once.",
    links: `${EVENT} · ${TWICE}`,
    options: { event: "payment_intent.succeeded" },
    example: {
      title: "an order is paid once, whatever the event is called",
      before: `const events = new Set<string>();
const paid = new Set<string>();
${shop(`const event = (await request.json()) as { id: string; type: string; data: { id: string } };
if (event.type !== "payment_intent.succeeded") return new Response();
events.add(event.id);
paid.add(event.data.id);`)}`,
      after: `${PAY}
await sim.clock.advance("1 hour");
expect([events.size, paid.size]).toEqual([2, 1]);`,
    },
  },
  "webhook.extra-fields": {
    does: "An event has fields that no documentation names.",
    hurts: "The service adds a field. A handler with a strict schema refuses every event from that day on.",
    fields: { fields: 'The fields, with JSON values: `{ region: "PH" }`. By default one, `unexpected_field`.' },
    sees: "More fields, the same bytes on every attempt.",
    should: "Read what it knows, and ignore the rest.",
    links: EVENT,
    options: {},
    example: {
      title: "a new field does no harm",
      before: `const unknown: string[] = [];
${shop(`const { id, type, createdAt, data, ...others } = (await request.json()) as Record<string, unknown>;
unknown.push(...Object.keys(others)); // a strict schema would have refused it`)}`,
      after: `${PAY}
await sim.clock.settle();
expect(unknown).toEqual(["unexpected_field"]);
expect(sim.webhooks.failures()).toEqual([]);`,
    },
  },
  "webhook.unknown-type": {
    does: "After an event comes a second one, of a type that does not exist yet.",
    hurts: "The service adds a type. A handler that answers 500 gets it for hours, and the events behind it wait.",
    fields: { type: "The type. By default a type like the event's own, such as `payment_intent.reviewed`." },
    sees: "An event of an unknown type.",
    should: "Answer 2xx, or it is retried for hours.",
    links: `${EVENT} · [Cookbook: unknown types](../guide/cookbook.md#a-handler-that-dies-on-unknown-types)`,
    options: {},
    example: {
      title: "an unknown type is taken and ignored",
      before: RECEIVED,
      after: `${PAY}
await sim.clock.settle();
expect(received).toContain("payment_intent.reviewed");
expect(sim.webhooks.failures()).toEqual([]);`,
    },
  },
  "webhook.unknown-object": {
    does: "After an event comes one about an object that your shop has never heard of.",
    hurts:
      "Another program of yours uses the same account. A handler that creates an order for every payment sends goods that nobody ordered here.",
    fields: { object: "The id of the object, such as one of another merchant. By default an id that does not exist." },
    sees: "An event about an unknown id.",
    should: "Answer 2xx and create nothing. A 404 does no harm, but brings the event again for hours.",
    links: `${EVENT} · [Cookbook: foreign events](../guide/cookbook.md#a-foreign-event)`,
    options: {},
    example: {
      title: "a foreign payment changes nothing",
      before: shopOfKnownOrders,
      after: `${payKnownOrder}
expect([...orders]).toEqual([[id, "succeeded"]]);`,
    },
  },
  "webhook.other-object": {
    does: "An event names another object in place of its own.",
    hurts:
      "An event is for another order. A handler that takes every success for the order that waits sends goods that nobody paid for.",
    fields: {
      object:
        "The id of the other object, such as that of another order's payment. By default an id that does not exist.",
    },
    sees: "The event with the other id, correctly signed. Nobody else is told what happened.",
    should: "Look up its order by the id in the event, and leave every other order alone.",
    links: EVENT,
    options: { event: "payment_intent.succeeded" },
    example: {
      title: "another order's payment pays nothing here",
      before: shopOfKnownOrders,
      after: `${payKnownOrder}
expect([...orders]).toEqual([[id, "processing"]]);`,
    },
  },
  "webhook.other-value": {
    does: "A field of an event says something else than the service's books.",
    hurts:
      "A customer pays part of what an order costs. A handler that never looks at the amount sends the goods all the same.",
    fields: {
      field: "The name of the field, such as `amount`. Each field of this name in what the event is about is changed.",
      by: "How much more a number is, such as `1` centavo. Give `by` or `to`.",
      to: "What the field says instead, as JSON.",
    },
    sees: "The event with the other value, correctly signed, the same bytes on every attempt. An event without such a field is not an occasion.",
    should: "Compare the amount with that of its order, and hold back an order for which they differ.",
    links: EVENT,
    options: { event: "payment_intent.succeeded", field: "amount", by: 1 },
    example: {
      title: "an event with another amount pays for nothing",
      before: `const amounts: number[] = [];
${shop(`const { type, data } = (await request.json()) as { type: string; data: { attributes: { amount: number } } };
if (type === "payment_intent.succeeded") amounts.push(data.attributes.amount);`)}`,
      after: `${PAY}
await sim.clock.settle();
expect(amounts).toEqual([10001]);
expect(sim.intents.get(id)?.amount).toBe(10000);`,
    },
  },
  "webhook.reorder": {
    does: "Events come in another order than they happened.",
    hurts:
      "Two servers deliver at once. A handler that takes the last one for the newest forgets that an order was paid.",
    fields: { within: WITHIN, order: '`"reversed"`, which is the default, or `"shuffled"`.' },
    sees: "The events within this time of the first, at its end and in that order.",
    should: "Never go back from a final status.",
    links: `${WINDOW} · [Cookbook: a late event that overwrites](../guide/cookbook.md#a-late-event-that-overwrites)`,
    options: { within: "1 minute" },
    example: {
      title: "the first event comes last",
      before: RECEIVED,
      strikes: "always",
      after: `${PAY}
await sim.clock.advance("2 minutes");
expect(received).toEqual(["payment_intent.succeeded", "payment_intent.processing"]);`,
    },
  },
  "webhook.burst": {
    does: "Events are held back, and come all at once, in order.",
    hurts:
      "The service recovers from an outage and sends what has piled up. A handler that works before it answers runs out of time.",
    fields: { within: WITHIN },
    sees: "The events within this time of the first, all at its end.",
    should: "Answer fast, and work later on what it stored.",
    links: WINDOW,
    options: { within: "1 minute" },
    example: {
      title: "what has piled up comes at once",
      before: RECEIVED,
      strikes: "always",
      after: `${PAY}
await sim.clock.advance("59 seconds");
expect(received).toEqual([]);
await sim.clock.advance("1 second");
expect(received).toEqual(["payment_intent.processing", "payment_intent.succeeded"]);`,
    },
  },
  "webhook.interleave": {
    does: "Events are held back, and come one of each merchant in turn.",
    hurts:
      "One program serves several merchants. Code that remembers the current merchant between two events mixes them up.",
    fields: { within: WITHIN },
    sees: "The events within this time of the first, at its end, one of each merchant in turn.",
    should: "Keep merchants apart: choose the secret and the orders by each event.",
    links: WINDOW,
    options: { within: "1 minute" },
    example: {
      title: "the events of two merchants alternate",
      before: `const turns: string[] = [];
for (const name of ["first", "second"])
  sim.connect(\`https://\${name}.example\`, () => {
    turns.push(name);
    return new Response();
  });
const answer = await sim.fetch("/merchants", {
  method: "POST",
  headers: { "x-admin-key": sim.credentials.adminKey, "content-type": "application/json" },
  body: JSON.stringify({ name: "Second", email: "second@shop.example" }),
});
const { data } = (await answer.json()) as { data: { clientId: string; clientSecret: string } };
const { clientId, clientSecret } = data;
const second = createClient({ clientId, clientSecret, baseUrl: sim.baseUrl, fetch: sim.fetch });`,
      strikes: "always",
      after: `for (const [each, webhookUrl] of [
  [client, "https://first.example/hooks"],
  [second, "https://second.example/hooks"],
] as const) {
  const { id } = await each.paymentIntents.create({ amount: 10000, webhookUrl });
  await each.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
}
await sim.clock.advance("2 minutes");
expect(turns).toEqual(["first", "second", "first", "second"]);`,
      imports: `import { createClient } from "centavo/client";`,
    },
  },
  "webhook.corrupt-body": {
    does: "The body of a delivery was changed after signing.",
    hurts: "Somebody between the service and you changes an amount. Whoever does not check the signature believes it.",
    fields: { body: "The body that comes. By default the true one with a number one higher, which is still JSON." },
    sees: "A signature that does not fit the body.",
    should: "Refuse it with 401: the signature is over the bytes.",
    links: `${ATTEMPT} · ${FORGED}`,
    options: {},
    example: {
      title: "a body that was changed is refused",
      before: VERIFIED,
      after: REFUSED,
      imports: VERIFY,
    },
  },
  "webhook.wrong-secret": {
    does: "A delivery is signed with another merchant's secret.",
    hurts: "Anybody can have an account, and sign with its secret. Whoever only looks for a signature lets them in.",
    fields: {},
    sees: "A signature of the right form, of somebody else.",
    should: "Refuse it with 401.",
    links: `${ATTEMPT} · [Why a test failed: wrong secret](../guide/causes.md#wrong-secret)`,
    options: {},
    example: {
      title: "another merchant's signature is refused",
      before: VERIFIED,
      after: REFUSED,
      imports: VERIFY,
    },
  },
  "webhook.stale-timestamp": {
    does: "A delivery is signed correctly, and its stamp is old.",
    hurts: "Somebody who recorded a delivery sends it again. Without a limit on its age it is believed for ever.",
    fields: { age: 'How far the stamp is before the receiver\'s time: `"10 minutes"`, which is the default.' },
    sees: "A true signature with an old stamp.",
    should: "Refuse it with 401: it may be an old event, replayed.",
    links: `${ATTEMPT} · ${FORGED}`,
    options: {},
    example: {
      title: "an old delivery is refused",
      before: VERIFIED,
      after: REFUSED,
      imports: VERIFY,
    },
  },
  "webhook.other-mode": {
    does: "A delivery has the signature of the live mode in a test, and the reverse.",
    hurts: "Test and live events come to the same address. A shop that takes either pays orders with test cards.",
    fields: {},
    sees: "The signature in the other field: PayMongo's `li` in place of `te`; Stripe's `v0` and Standard Webhooks' `v1a` in place of `v1`.",
    should: 'Refuse it with 401: `verifyWebhook(…, { mode: "test" })`.',
    links: `${ATTEMPT} · [webhooks.md](../guide/webhooks.md#how-a-webhook-is-signed)`,
    options: {},
    example: {
      title: "a signature of the other mode is refused",
      before: VERIFIED.replace("webhookSecret)", 'webhookSecret, { mode: "test" })'),
      after: REFUSED,
      imports: VERIFY,
    },
  },
  "webhook.refused": {
    does: "Your endpoint refuses the connection.",
    hurts: "Your shop is being deployed. The events of that minute come later, unless the outage outlasts the retries.",
    fields: {},
    sees: "Nothing of this attempt. The retry comes after 2 seconds.",
    should: "Nothing: the retries come. After hours, ask the service for what was missed.",
    links: ANSWER,
    options: {},
    example: {
      title: "a deployment loses no event",
      before: RECEIVED,
      after: `${PAY}
await sim.clock.advance("1 minute");
expect(received).toEqual(["payment_intent.succeeded", "payment_intent.processing"]); // late, but not lost`,
    },
  },
  "webhook.slow": {
    does: "Your endpoint gets the event at once, and its answer takes long.",
    hurts:
      "A handler prints an invoice before it answers. The service gives up after 30 seconds and sends the event again.",
    fields: {
      delay:
        'How long the answer takes, in virtual time: `"45 seconds"`. From 30 s on (`webhook.timeout`) the service gives up, retries, and drops the answer when it comes.',
    },
    sees: "The event again, while it still works on the first.",
    should: "Answer first, and work afterwards.",
    links: ANSWER,
    options: { delay: "45 seconds" },
    example: {
      title: "a handler that takes 45 seconds gets the event twice",
      before: RECEIVED,
      after: `${PAY}
await sim.clock.advance("2 minutes");
expect(received.filter((type) => type === "payment_intent.processing")).toHaveLength(2);`,
    },
  },
  "webhook.answer-lost": {
    does: "Your endpoint does its work, and its answer is lost.",
    hurts:
      "A connection breaks after your database has committed. The event comes again, and whoever counts deliveries counts two.",
    fields: {},
    sees: "The event again.",
    should: "Remember event ids.",
    links: `${ANSWER} · ${TWICE}`,
    options: {},
    example: {
      title: "an event whose answer is lost comes again",
      before: RECEIVED,
      after: `${PAY}
await sim.clock.advance("1 minute");
expect(received.filter((type) => type === "payment_intent.processing")).toHaveLength(2);`,
    },
  },
  "webhook.answer": {
    does: "The service gets another answer in place of your endpoint's.",
    hurts:
      "A proxy in front of you answers 503, redirects, or answers 410 after a move. After a 410 that event never comes again.",
    fields: {
      status: "The HTTP status, a whole number from 200 to 599.",
      headers: 'Its headers, such as `{ "retry-after": "60" }`: seconds, or a date of virtual time. By default none.',
      reaches: "`false` if your endpoint never hears of the attempt. By default `true`.",
    },
    sees: "The event again after a retryable answer, although it answered 200.",
    should: "Remember event ids; after a 410, ask the service.",
    links: ANSWER,
    options: { status: 503 },
    example: {
      title: "a proxy answers 503 for a shop that did its work",
      before: RECEIVED,
      after: `${PAY}
await sim.clock.advance("1 minute");
expect(received.filter((type) => type === "payment_intent.processing")).toHaveLength(2);`,
    },
  },
};
