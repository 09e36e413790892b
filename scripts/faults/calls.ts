import { CREATE } from "../../src/service/test-lines.ts";
import { CONFIRM } from "./text.ts";
import type { TextsOf } from "./text.ts";

const PROXY = {
  status: "The HTTP status, a whole number from 400 to 599. Either this or `code` is required.",
  code: "In place of `status`, the code of one of the service's own errors, such as `RATE_LIMITED`: its status and its body are those in force ([`http.error-status`](assumptions.md#http.error-status), [`http.error-codes`](assumptions.md#http.error-codes)).",
  body: "The body: JSON, or text that is sent as `text/plain`. By default the error that `code` names, or else the one that the service itself answers with this status, or `INTERNAL_ERROR` if it never does.",
  headers: 'More headers by their names, such as `{ "retry-after": "5" }`. By default none.',
};
const RETRIED = "[What a retry meets](../guide/faults.md#what-a-retry-meets)";
const HELD = "[Delays and the clock](../guide/faults.md#delays-and-the-clock)";
const NO_KEY = "[Cookbook: a retry without a key](../guide/cookbook.md#a-retry-without-a-key)";

export const requestTexts: TextsOf<"request"> = {
  "request.status": {
    does: "Something in front of the service answers with an error, and the service never learns of the call.",
    hurts:
      "A load balancer restarts, or a limit on calls is reached. A shop that gives up at the first 503 loses the sale.",
    fields: PROXY,
    sees: "That status. The body looks like the service's own.",
    should:
      "Send the same call with the same `Idempotency-Key` again, after `Retry-After` or a growing pause. Give up in the end, and say so.",
    links: RETRIED,
    options: { route: "payment-intent.confirm", status: 503 },
    example: {
      title: "a 503 is not the end",
      after: `${CONFIRM}
await expect(confirm()).rejects.toMatchObject({ status: 503 });
expect((await confirm()).status).toBe("processing"); // the same call again, with the same key`,
    },
  },
  "request.malformed": {
    does: "The call is answered with 200 and a body that is not JSON, and the service never learns of it.",
    hurts:
      "A proxy breaks off an answer, or a captive portal answers for it. Code that trusts the status reads nonsense.",
    fields: { body: "The body. By default JSON that breaks off." },
    sees: "200 and `application/json`, then a parse error.",
    should: "Treat it as no answer at all: from outside it looks like `response.truncated`. Retry with the same key.",
    links: RETRIED,
    options: { route: "payment-intent.confirm" },
    example: {
      title: "a body that cannot be read is no answer",
      after: `${CONFIRM}
await expect(confirm()).rejects.toThrow();
expect((await confirm()).status).toBe("processing");`,
    },
  },
  "request.refused": {
    does: "The connection is refused.",
    hurts: "The service is down, or a firewall changed. Nothing was processed, so giving up loses a sale for nothing.",
    fields: {},
    sees: "`ECONNREFUSED`. Over a socket it is `ECONNRESET`, because a listening server cannot refuse.",
    should: "Retry with a growing pause: nothing was processed.",
    links: RETRIED,
    options: { route: "payment-intent.confirm" },
    example: {
      title: "a refused connection costs a retry, and nothing else",
      after: `${CONFIRM}
await expect(confirm()).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
expect((await confirm()).status).toBe("processing");`,
    },
  },
  "request.reset": {
    does: "The connection breaks before the call reaches the service.",
    hurts: "A network blinks. The client cannot tell this from an answer that was lost after the charge.",
    fields: {},
    sees: "`ECONNRESET`.",
    should: "Retry with the same `Idempotency-Key`, because the call may have been processed for all you know.",
    links: `${RETRIED} · ${NO_KEY}`,
    options: { route: "payment-intent.confirm" },
    example: {
      title: "a reset connection is tried again with the same key",
      after: `${CONFIRM}
await expect(confirm()).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
expect((await confirm()).status).toBe("processing");`,
    },
  },
  "request.hang": {
    does: "The call gets no answer, and the service never learns of it.",
    hurts:
      "A connection dies without a word. A shop without a timeout keeps the customer, and a worker, waiting for ever.",
    fields: {},
    sees: "Nothing, until its own timeout ends the call.",
    should: "Have a timeout, and then do as after a reset.",
    links: HELD,
    options: { route: "payment-intent.confirm" },
    example: {
      title: "a call that hangs is given up, and made again",
      after: `${CREATE}
const card = { paymentMethodId: "pm_card_approved" };
const signal = AbortSignal.timeout(50); // the shop's own limit, in real milliseconds
await expect(client.paymentIntents.confirm(id, card, { signal })).rejects.toThrow("timeout");
expect((await client.paymentIntents.confirm(id, card)).status).toBe("processing");`,
    },
  },
  "request.latency": {
    does: "The call reaches the service late.",
    hurts:
      "The network is slow on a busy day. A shop that gives up early is charged for a payment that it counts as failed.",
    fields: { delay: 'How long the call is on its way, in virtual time: `"20 seconds"`. At least 1 ms.' },
    sees: "The answer, `delay` later. A token may have expired on the way.",
    should: "Give up when the customer would, but expect a success after that: poll, or wait for the webhook.",
    links: HELD,
    options: { route: "payment-intent.confirm", delay: "20 seconds" },
    example: {
      title: "a slow call arrives in the end",
      after: `${CREATE}
const confirming = client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }); // not awaited yet
await fault.struck(); // the call is on its way
await sim.clock.advance("20 seconds");
expect((await confirming).status).toBe("processing");`,
    },
  },
};

export const responseTexts: TextsOf<"response"> = {
  "response.lost": {
    does: "The service does what was asked, and its answer never arrives.",
    hurts: "A connection breaks after the charge. A retry that looks like a new call charges the customer twice.",
    fields: {
      as: '`"reset"` for a broken connection, which is the default, or `"hang"` for silence until the client\'s own timeout.',
    },
    sees: "`ECONNRESET`, or nothing. It does not fire for a refusal (any 4xx but 402), because a refusal did nothing.",
    should: "Retry with the same `Idempotency-Key`, or read the state first. Never start over with a new order.",
    links: `${RETRIED} · ${NO_KEY}`,
    options: { route: "payment-intent.confirm" },
    example: {
      title: "a lost answer is asked for again, and nothing is charged twice",
      after: `${CONFIRM}
await expect(confirm()).rejects.toMatchObject({ cause: { code: "ECONNRESET" } });
expect(sim.intents.get(id)?.status).toBe("processing"); // it was done all the same
expect((await confirm()).status).toBe("processing"); // the first answer, replayed
await sim.clock.settle();
expect(sim.ledger().balances.customers).toBe(10000);`,
    },
  },
  "response.status": {
    does: "The service does what was asked, and a proxy answers with an error.",
    hurts:
      "A gateway times out with 504 while the charge succeeds. Code that takes a 5xx for a failure releases the goods, and the money is taken.",
    fields: PROXY,
    sees: "An error such as 502 or 504, although the call was processed.",
    should: "Do as for a lost answer: a 5xx does not say whether the call was processed.",
    links: `${RETRIED} · [Cookbook: a 5xx as final](../guide/cookbook.md#a-5xx-as-final)`,
    options: { route: "payment-intent.confirm", status: 502 },
    example: {
      title: "a 502 does not say that nothing happened",
      after: `${CONFIRM}
await expect(confirm()).rejects.toMatchObject({ status: 502 });
expect(sim.intents.get(id)?.status).toBe("processing");
expect((await confirm()).status).toBe("processing");`,
    },
  },
  "response.truncated": {
    does: "The service does what was asked, and only the beginning of its answer arrives.",
    hurts:
      "A proxy cuts an answer short. Code that catches the parse error as a failed payment is wrong about the money.",
    fields: { keep: "How many characters of the body are kept. By default the first half." },
    sees: "A parse error, under a matching `content-length`. It does not fire for an answer no longer than `keep`.",
    should: "Do as for a lost answer.",
    links: RETRIED,
    options: { route: "payment-intent.confirm" },
    example: {
      title: "half an answer is no answer",
      after: `${CONFIRM}
await expect(confirm()).rejects.toThrow();
expect(sim.intents.get(id)?.status).toBe("processing");
expect((await confirm()).status).toBe("processing");`,
    },
  },
  "response.content-type": {
    does: "The service does what was asked, and its answer says that it is of another type.",
    hurts: "A proxy puts its own page around an answer. Code that parses whatever comes fails after the charge.",
    fields: {
      contentType: "The `content-type`. By default `text/html`.",
      body: "Another body. By default the true one.",
    },
    sees: "`text/html`, or the type that you give.",
    should: "Check the status and the type before parsing, then do as for a lost answer.",
    links: RETRIED,
    options: { route: "payment-intent.confirm" },
    example: {
      title: "an answer in HTML is not believed",
      before: `const types: (string | null)[] = [];
const careful = createClient({
  ...sim.credentials,
  baseUrl: sim.baseUrl,
  fetch: async (input: string | URL | Request, init?: RequestInit) => {
    const answer = await sim.fetch(input, init);
    types.push(answer.headers.get("content-type"));
    return answer;
  },
});
const { id } = await careful.paymentIntents.create({ amount: 10000 });`,
      after: `await careful.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch(() => undefined);
expect(types.at(-1)).toBe("text/html");
expect((await careful.paymentIntents.status(id)).status).toBe("processing");`,
      imports: `import { createClient } from "centavo/client";`,
    },
  },
  "response.other-value": {
    does: "The service does what was asked, and a field of its answer says something else.",
    hurts:
      "An amount is rounded on its way, or a cache answers with the status of yesterday. Code that never compares an answer with what it asked for keeps the wrong number.",
    fields: {
      field: "The name of the field, such as `amount`. Each field of this name in the body is changed.",
      by: "How much more a number is, such as `1` centavo. Give `by` or `to`.",
      to: "What the field says instead, as JSON.",
    },
    sees: "The answer with the other value. The service's own books do not change. A body without such a field is not an occasion.",
    should: "Compare an answer with what was asked for, and stop where they differ.",
    links: RETRIED,
    options: { route: "payment-intent.create", field: "amount", by: 1 },
    example: {
      title: "an answer with one centavo more is not what was asked for",
      after: `const { id, amount } = await client.paymentIntents.create({ amount: 10000 });
expect(amount).toBe(10001);
expect(sim.intents.get(id)?.amount).toBe(10000); // the books do not change`,
    },
  },
  "response.late": {
    does: "The service does what was asked at once, and its answer arrives late.",
    hurts: "The webhook overtakes the answer. Code that then stores the old answer makes a paid order unpaid.",
    fields: { delay: 'How long the answer is on its way, in virtual time: `"20 seconds"`. At least 1 ms.' },
    sees: "The answer as it was when the call was processed, `delay` later. Webhooks about it may arrive first.",
    should: "Never let an old answer overwrite what a webhook or a later read said.",
    links: HELD,
    options: { route: "payment-intent.confirm", delay: "20 seconds" },
    example: {
      title: "an answer that arrives late is old",
      after: `${CREATE}
const confirming = client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }); // not awaited yet
await fault.struck(); // the call is on its way
await sim.clock.advance("20 seconds");
expect((await confirming).status).toBe("processing"); // what was true 20 seconds ago
expect(sim.intents.get(id)?.status).toBe("succeeded");`,
    },
  },
};
