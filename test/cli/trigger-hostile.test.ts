import { describe, expect, test } from "vitest";
import { centavo } from "./commands.ts";
import { receiver, SECRET } from "./webhook-receiver.ts";
import type { Receiver } from "./webhook-receiver.ts";

const send = async (to: Receiver, ...words: string[]) =>
  centavo("trigger", ...words, "--to", to.url, "--secret", SECRET);

describe("centavo trigger --forged", () => {
  test("sends every forgery before the event, and an honest handler refuses them", async () => {
    const shop = await receiver();
    const { code, text } = await send(shop, "checkout.completed", "--forged");
    expect(code).toBe(0);
    expect(shop.received.map(({ isGenuine }) => isGenuine)).toEqual([
      false,
      false,
      false,
      false,
      false,
      true,
      false,
      false,
      false,
      false,
      false,
      true,
    ]);
    expect(text).toContain("checkout.completed, forged: stale-timestamp");
  });

  test("fails for a handler that verifies nothing, and says what to do", async () => {
    const shop = await receiver((response) => response.end("ok"));
    const { code, text } = await send(shop, "checkout.completed", "--forged", "--only");
    expect(code).toBe(1);
    expect(text).toMatch(
      /200 +\d+ ms {2}checkout\.completed, forged: unsigned {2}evt_\w+ {2}ok {2}← wrong\n +It accepted/,
    );
    expect(text).toContain("It is an old delivery, replayed. Refuse a stamp that is more than five minutes");
    expect(text).toContain("1 of 6 answers is right.");
  });

  test("fails for a handler that keeps an event's id before it verifies the signature", async () => {
    const seen = new Set<string>();
    const shop = await receiver((response, isGenuine, body) => {
      const { id } = JSON.parse(body) as { id: string };
      const isNew = !seen.has(id);
      seen.add(id);
      response.writeHead(isGenuine && isNew ? 200 : 401).end();
    });
    const { code, text } = await send(shop, "payment_intent.canceled", "--forged");
    expect(code).toBe(1);
    expect(text).toMatch(/payment_intent\.canceled {2}evt_\w+ +← wrong\n +401 says that the signature does not match/);
  });

  test("fails for a handler that crashes on a forgery", async () => {
    const shop = await receiver((response, isGenuine) => response.writeHead(isGenuine ? 200 : 500).end());
    const { code, text } = await send(shop, "payment_intent.canceled", "--forged", "--json");
    expect(code).toBe(1);
    const { deliveries } = JSON.parse(text) as { deliveries: { forgery?: string; wrong?: string }[] };
    expect(deliveries.map(({ forgery, wrong }) => [forgery, wrong])).toEqual([
      ...["unsigned", "wrong-signature", "wrong-secret", "stale-timestamp", "corrupt-body"].map((kind) => [
        kind,
        "crashed",
      ]),
      [undefined, undefined],
    ]);
  });
});

describe("centavo trigger --twice", () => {
  test("sends each event twice, the second before the first is answered", async () => {
    const waiting: (() => void)[] = [];
    const shop = await receiver((response) => {
      waiting.push(() => response.end());
      if (waiting.length === 2) for (const answer of waiting.splice(0)) answer();
    });
    expect(await send(shop, "checkout.completed", "--twice")).toMatchObject({ code: 0 });
    const ids = shop.events().map(({ id }) => id);
    expect(ids).toHaveLength(4);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).toBe(ids[3]);
  });

  test.for([
    ["takes one and refuses the other", 409, 0],
    ["crashes on the other", 500, 1],
  ] as const)("a handler that %s", async ([, second, expected]) => {
    const seen = new Set<string>();
    const shop = await receiver((response, _, body) => {
      response.writeHead(seen.has(body) ? second : 200).end();
      seen.add(body);
    });
    expect(await send(shop, "checkout.expired", "--twice")).toMatchObject({ code: expected });
  });

  test("fails for a handler that refuses both", async () => {
    const shop = await receiver((response) => response.writeHead(409).end());
    const { code, text } = await send(shop, "checkout.expired", "--twice");
    expect(code).toBe(1);
    expect(text).toContain("0 of 2 answers are right.");
    expect(text).toContain("409 says that your handler refuses a genuine event.");
  });
});

describe("centavo trigger --shuffled", () => {
  test.for(["1", "2", "3", "4"])("sends all events in another order: seed %s", async (seed) => {
    const [shop, again, plain] = [await receiver(), await receiver(), await receiver()];
    await send(shop, "checkout.completed", "--shuffled", "--seed", seed);
    await send(again, "checkout.completed", "--shuffled", "--seed", seed);
    await send(plain, "checkout.completed", "--seed", seed);
    const idsAt = ({ events }: Receiver) => events().map(({ id }) => id);
    expect(idsAt(shop)).toEqual(idsAt(again));
    expect(idsAt(shop)).toEqual(idsAt(plain).toReversed());
  });

  test("draws the order of many events from the seed", async () => {
    const orders = new Set<string>();
    for (const seed of ["1", "2", "3"]) {
      const shop = await receiver();
      expect(await send(shop, "subscription.unpaid", "--shuffled", "--seed", seed)).toMatchObject({ code: 0 });
      expect(shop.events()).toHaveLength(18);
      orders.add(
        shop
          .events()
          .map(({ type }) => type)
          .join(),
      );
    }
    expect(orders.size).toBe(3);
  });
});
