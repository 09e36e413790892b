import { expect, test } from "vitest";
import { Clock } from "../../src/kit/engine/clock.ts";
import { Engine } from "../../src/kit/engine/engine.ts";
import { faultFamily } from "../../src/kit/faults/declaration.ts";
import { Faults } from "../../src/kit/faults/faults.ts";
import { KnownFaults } from "../../src/kit/faults/reading.ts";
import type { ReceiverAnswer } from "../../src/kit/receivers/receiver-answer.ts";
import { nextMacrotask } from "../../src/kit/base/runtime/real-time.ts";
import { eventSelectors } from "../../src/kit/webhooks/event-selectors.ts";
import { webhookFaults } from "../../src/kit/webhooks/fault-injection.ts";
import { Outbox } from "../../src/kit/webhooks/outbox.ts";
import type { WebhookPolicies } from "../../src/kit/webhooks/policies.ts";

const HOOKS = "https://bakery.example/hooks";
const MINUTE = 60_000;

/** Another service: numbered events, another body, Stripe's signature under another name, two retries a minute apart. */
const policies: WebhookPolicies = {
  eventId: (random, stream = "numbers") => `n-${random.below(stream, 1_000_000)}`,
  body: ({ id, type, createdAt }, content) => JSON.stringify({ event: { id, type, createdAt }, order: content }),
  contentOf: (text) => JSON.parse(text) as object,
  contentIds: { names: new Set(["number"]), foreign: new Set(), subjectOf: () => undefined },
  announced: () => undefined,
  secretOf: (merchantId) => `secret of ${merchantId}`,
  signature: () => ({ scheme: "stripe", headerName: "Bakery-Signature" }),
  stamp: () => "virtual",
  order: () => "sequential",
  meaningOf: (answer) => (answer.kind === "answered" && answer.status === 201 ? "delivered" : "failed"),
  retryAt: ({ retry, now }) => (retry > 2 ? undefined : now + MINUTE),
  timeout: { name: "the bakery's patience", milliseconds: () => 5000 },
};

const family = faultFamily({
  kinds: webhookFaults,
  selectors: eventSelectors,
  service: { eventTypes: ["order.baked"], eventFields: ["event", "order"] },
});

/** A world of that service, in which a receiver gives these answers in turn, and then the last one again. */
function bakery(...statuses: readonly number[]) {
  const engine = new Engine({ seed: "1", now: 0 });
  const faults = new Faults({ engine, known: new KnownFaults([family]) });
  const arrived: { readonly headers: Headers; readonly body: string }[] = [];
  const send = async (request: Request): Promise<ReceiverAnswer> => {
    const status = statuses[arrived.length] ?? statuses.at(-1) ?? 500;
    arrived.push({ headers: request.headers, body: await request.text() });
    return { kind: "answered", status };
  };
  const receivers = { send, reaches: () => true, receiverTime: () => 0 };
  const outbox = new Outbox({ assumptions: {}, service: "bakery", engine, faults, policies, receivers });
  const clock = new Clock(engine, nextMacrotask);
  const announce = (): void =>
    engine.unit(() =>
      outbox.announce({ type: "order.baked", merchantId: "m1", url: HOOKS, content: { number: "o-1" } }),
    );
  return { outbox, clock, faults, arrived, announce };
}

test("the body, the id, the signature's header and its stamp are what the service says", async () => {
  const { outbox, clock, arrived, announce } = bakery(201);
  await clock.advance("1 minute");
  announce();
  await clock.settle();
  const [event] = outbox.events();
  expect(event?.id).toMatch(/^n-\d+$/);
  expect(JSON.parse(arrived[0]?.body ?? "")).toEqual({
    event: { id: event?.id, type: "order.baked", createdAt: MINUTE },
    order: { number: "o-1" },
  });
  expect(arrived[0]?.headers.get("bakery-signature")).toMatch(/^t=60,v1=[\da-f]{64}$/);
});

test("the service decides which answer delivers an event", async () => {
  const { outbox, clock, announce } = bakery(200, 201);
  announce();
  await clock.settle();
  expect(outbox.events()).toMatchObject([{ status: "pending", attempts: 1 }]);
  await clock.advance("1 minute");
  expect(outbox.events()).toMatchObject([{ status: "delivered", attempts: 2 }]);
});

test("the service decides when an event is tried again, and when it is given up", async () => {
  const { outbox, clock, announce } = bakery(500);
  announce();
  await clock.advance("1 hour");
  expect(outbox.attempts().map(({ at }) => at)).toEqual([0, MINUTE, 2 * MINUTE]);
  expect(outbox.events()).toMatchObject([{ status: "exhausted", retries: 2 }]);
});

test("the service decides how long it waits for an answer, and messages call that limit by its name", async () => {
  const { outbox, clock, faults, announce } = bakery(201);
  faults.add({ kind: "webhook.slow", delay: "5 seconds", times: 1 });
  announce();
  await clock.advance("5 seconds");
  expect(outbox.attempts()).toMatchObject([{ answeredAt: 5000, answer: { kind: "failed", reason: "timeout" } }]);
  const [attempt] = outbox.attempts();
  const message = attempt?.answer.kind === "failed" ? attempt.answer.message : "";
  expect(message).toContain("within 5 s of virtual time (the bakery's patience)");
});

test("a fault that names a resource knows it by the ids of the service", async () => {
  const { outbox, faults, announce } = bakery(201);
  faults.add({ kind: "webhook.drop", resource: "o-1" });
  announce();
  expect(outbox.events()).toMatchObject([{ status: "dropped" }]);
});

test("an event that a fault makes up has an id and objects of the service's form", async () => {
  const { outbox, faults, announce } = bakery(201);
  faults.add({ kind: "webhook.unknown-object" });
  announce();
  const [, madeUp] = outbox.events();
  expect(madeUp?.id).toMatch(/^n-\d+$/);
  const body = JSON.parse(madeUp?.body ?? "") as { order: { number: string } };
  expect(body.order.number).not.toBe("o-1");
});
