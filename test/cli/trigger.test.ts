import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { paymentService } from "../../src/service/service.ts";
import { centavo, centavoIn } from "./commands.ts";
import { folderWith } from "./story-folder.ts";
import { receiver, SECRET } from "./webhook-receiver.ts";
import type { Receiver } from "./webhook-receiver.ts";

const send = async (to: Receiver, ...words: string[]) =>
  centavo("trigger", ...words, "--to", to.url, "--secret", SECRET);
const typesAt = ({ events }: Receiver) => events().map(({ type }) => type);

const PAST_DUE = [
  "payment_intent.processing",
  "payment_intent.succeeded",
  "subscription.invoice.paid",
  "subscription.activated",
  "payment_intent.processing",
  "payment_intent.failed",
  "subscription.invoice.payment_failed",
  "subscription.past_due",
];

describe("centavo trigger", () => {
  test("sends the events that lead there in their true order, each signed with the secret of the shop", async () => {
    const shop = await receiver();
    const { code, text } = await send(shop, "subscription.past_due");
    expect(code).toBe(0);
    expect(typesAt(shop)).toEqual(PAST_DUE);
    expect(shop.received).toHaveLength(PAST_DUE.length);
    expect(text).toMatch(/^subscription\.past_due to http:\/\/127\.0\.0\.1:\d+\/webhooks, by 8 deliveries/);
    expect(text).toMatch(/^ {2}200 +\d+ ms {2}subscription\.past_due {2}evt_\w+ {2}thanks$/m);
    expect(text).toMatch(/8 of 8 answers are right\.$/);
    expect(text).not.toContain(SECRET);
  });

  test("tells one story: the subscription was active, its renewal was declined a month later, and that is now", async () => {
    const shop = await receiver();
    await send(shop, "subscription.past_due", "--now", "2026-06-15T12:00:00Z");
    const [activated, late] = ["subscription.activated", "subscription.past_due"].map((type) =>
      shop.events().find((event) => event.type === type),
    );
    expect([activated?.createdAt, late?.createdAt]).toEqual(["2026-05-15T12:00:00.000Z", "2026-06-15T12:00:00.000Z"]);
    const { id } = (activated as unknown as { readonly data: { readonly id: string } }).data;
    expect(late).toMatchObject({ data: { id, attributes: { status: "past_due" } } });
  });

  test("ends before a moment that no month leads to, and never after it", async () => {
    const shop = await receiver();
    await send(shop, "subscription.past_due", "--only", "--now", "2026-03-31T00:00:00Z");
    expect(shop.events()[0]?.createdAt).toBe("2026-03-28T00:00:00.000Z");
  });

  test.for(paymentService.eventTypes)("lets %s happen, and sends it last", async (type) => {
    const shop = await receiver();
    expect(await send(shop, type)).toMatchObject({ code: 0 });
    expect(shop.events().at(-1)?.type).toBe(type);
  });

  test("sends the last event alone with --only", async () => {
    const shop = await receiver();
    expect(await send(shop, "subscription.past_due", "--only")).toMatchObject({ code: 0 });
    expect(typesAt(shop)).toEqual(["subscription.past_due"]);
  });

  test("lets it happen several times with --repeat, each time with other ids", async () => {
    const shop = await receiver();
    const { text } = await send(shop, "checkout.completed", "--repeat", "3", "--external-id", "order-7");
    expect(typesAt(shop)).toEqual(
      Array.from({ length: 3 }, () => ["checkout.processing", "checkout.completed"]).flat(),
    );
    expect(new Set(shop.events().map(({ id }) => id)).size).toBe(6);
    expect(new Set(shop.events().map((event) => (event as { sessionToken?: string }).sessionToken)).size).toBe(3);
    expect(new Set(shop.events().map((event) => (event as { externalId?: string }).externalId))).toEqual(
      new Set(["order-7"]),
    );
    expect(text).toContain("by 6 deliveries");
  });

  test("sends the same bodies again with the same seed and time, and other ones without", async () => {
    const bodies = async (...words: string[]) => {
      const shop = await receiver();
      await send(shop, "subscription.unpaid", ...words);
      return shop.received.map(({ body }) => body);
    };
    const same = ["--seed", "7", "--now", "2026-01-01"];
    expect(await bodies(...same)).toEqual(await bodies(...same));
    expect(await bodies()).not.toEqual(await bodies());
  });

  test("stamps signatures with real time, also of an event of last year", async () => {
    const shop = await receiver();
    expect(await send(shop, "payment_intent.succeeded", "--now", "2025-01-01T00:00:00Z")).toMatchObject({ code: 0 });
    expect(shop.received.every(({ isGenuine }) => isGenuine)).toBe(true);
  });

  test("signs and writes as the assumptions say", async () => {
    const shop = await receiver();
    const words = ["--assumption", "webhook.signature=stripe", "--assumption", "webhook.body=spaced"];
    await send(shop, "payment_intent.canceled", ...words);
    expect(shop.received[0]?.headers["stripe-signature"]).toMatch(/^t=\d+,v1=[\da-f]{64}$/);
    expect(shop.received[0]?.body).toContain('"type": "payment_intent.canceled"');
  });

  test("prints the results as one document with --json", async () => {
    const shop = await receiver();
    const { code, text } = await send(shop, "checkout.expired", "--json", "--seed", "7", "--now", "2026-01-02");
    expect(code).toBe(0);
    expect(JSON.parse(text)).toMatchObject({
      event: "checkout.expired",
      to: shop.url,
      seed: "7",
      now: "2026-01-02T00:00:00.000Z",
      passed: true,
      exitCode: 0,
      planned: 1,
      deliveries: [{ type: "checkout.expired", status: 200, answer: "thanks" }],
    });
  });
});

describe("the commands of docs/guide/trigger.md pass at an honest handler", () => {
  const page = readFileSync(join(import.meta.dirname, "../../docs/guide/trigger.md"), "utf8");
  const commands = Array.from(page.matchAll(/^npx centavo trigger (.+)$/gm), ([, words = ""]) => words);
  expect(commands.length).toBeGreaterThan(5);

  test.for(commands)("%s", async (words) => {
    const shop = await receiver();
    const folder = folderWith({
      "order.json": '{ "externalId": "order-7", "contact": { "email": "ana@shop.example" } }',
    });
    const line = words.replace("http://localhost:3000/webhooks", shop.url).split(" ");
    expect(await centavoIn(folder, "trigger", ...line, "--secret", SECRET)).toMatchObject({ code: 0 });
    expect(shop.events().length).toBeGreaterThan(0);
  });
});

describe("centavo trigger --list", () => {
  test("says of every event what it tells, and what goes before it", async () => {
    const { text, code } = await centavo("trigger", "--list");
    expect(code).toBeUndefined();
    expect(text).toContain(`  subscription.invoice.paid
      the invoice of a billing cycle was paid
      after payment_intent.processing, payment_intent.succeeded
`);
    const document = JSON.parse((await centavo("trigger", "--list", "--json")).text) as {
      readonly events: readonly { readonly type: string; readonly tells: string; readonly before: readonly string[] }[];
    };
    expect(document).toMatchObject({ passed: true, exitCode: 0 });
    const { events: listed } = document;
    expect(listed.map(({ type }) => type).toSorted()).toEqual(paymentService.eventTypes.toSorted());
    for (const { type, tells } of listed) expect(tells, type).toMatch(/^\w.{15,}[^.]$/);
    expect(listed.find(({ type }) => type === "subscription.past_due")?.before).toEqual(PAST_DUE.slice(0, -1));
  });
});

describe("centavo trigger --dry-run", () => {
  test("prints the requests with their signatures, and sends nothing", async () => {
    const shop = await receiver();
    const { text, code } = await send(shop, "payment_intent.succeeded", "--dry-run", "--amount", "49900");
    expect(code).toBeUndefined();
    expect(shop.received).toEqual([]);
    expect(text).toMatch(
      /POST \/webhooks HTTP\/1\.1\nhost: 127\.0\.0\.1:\d+\ncontent-type: application\/json\nuser-agent: Centavo\nx-webhook-signature: t=\d+,te=[\da-f]{64},li=\n\n\{"id":"evt_\w+","type":"payment_intent\.succeeded"/,
    );
    expect(text).toContain('"amount":49900');
    expect(text).not.toContain(SECRET);
  });

  test("prints them as JSON, which another program can send", async () => {
    const shop = await receiver();
    const { text } = await send(shop, "payment_intent.succeeded", "--dry-run", "--json", "--forged", "--only");
    const { requests } = JSON.parse(text) as {
      requests: {
        method: string;
        url: string;
        headers: Record<string, string>;
        body: string;
      }[];
    };
    expect(requests).toHaveLength(6);
    const statuses = [];
    for (const { method, url, headers, body } of requests)
      statuses.push((await fetch(url, { method, headers, body })).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 200]);
  });
});
