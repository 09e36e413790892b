import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { SHOP } from "../merchant/requests.ts";

const PAID = ["payment_intent.processing", "payment_intent.succeeded"];

describe("a fork starts without connections", () => {
  test("so its events wait until an app is connected", async () => {
    const merchant = await Merchant.open();
    const { sim, arrivals } = merchant;
    await merchant.pay();
    const fork = sim.fork();
    await fork.clock.advance("1 day");
    expect(arrivals).toEqual([]);
    expect(fork.webhooks.attempts()).toEqual([]);
    expect(fork.webhooks.events()).toMatchObject([{ status: "pending" }, { status: "pending" }]);
    expect(String(fork.journal)).toContain("waits until an app is connected");

    const received: string[] = [];
    fork.connect(SHOP, async (request) => {
      received.push(((await request.json()) as { type: string }).type);
      return new Response();
    });
    expect(received).toEqual([]);
    await fork.clock.settle();
    expect(received).toEqual(PAID);
    expect(arrivals).toEqual([]);
    await sim.clock.settle();
    expect(merchant.eventTypes).toEqual(PAID);
  });

  test("and go out when the fork's world is restored with a connection, even if a listener of the clock throws", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    const beginning = sim.snapshot();
    await merchant.pay();
    const fork = sim.fork();
    await fork.clock.advance("1 day");
    const kept = fork.snapshot();
    sim.restore(beginning);
    const stop = sim.clock.onMove(() => {
      throw new RangeError("mine");
    });
    expect(() => sim.restore(kept)).toThrow(new RangeError("mine"));
    stop();
    await sim.clock.settle();
    expect(merchant.eventTypes).toEqual(PAID);
  });

  test("and a redelivery by hand waits too", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    await merchant.pay();
    await sim.clock.settle();
    const fork = sim.fork();
    fork.webhooks.redeliver(fork.webhooks.events()[0]?.id ?? "");
    await fork.clock.settle();
    fork.connect(SHOP, () => new Response());
    await fork.clock.settle();
    expect(fork.webhooks.events()).toMatchObject([{ attempts: 2 }, { attempts: 1 }]);
  });

  test("and waiting events are sent when its world is restored in a connected simulator", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    await merchant.pay();
    const fork = sim.fork();
    await fork.clock.settle();
    sim.restore(fork.snapshot());
    await sim.clock.settle();
    expect(merchant.eventTypes).toEqual(PAID);
  });
});

describe("a fork that is asked to shares its parent's connections", () => {
  test("so the app gets the events of both, and the fork's journal says so", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    await merchant.pay();
    const fork = sim.fork({ connect: true });
    await fork.clock.settle();
    await sim.clock.settle();
    expect(merchant.eventTypes).toEqual([...PAID, ...PAID]);
    expect(String(fork.journal)).toContain("this fork shares its parent's connections");
    expect(String(sim.journal)).not.toContain("this fork");
  });

  test("and closing it leaves the parent's open", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    const fork = sim.fork({ connect: true });
    await fork.close();
    await merchant.pay();
    await sim.clock.settle();
    expect(merchant.eventTypes).toEqual(PAID);
  });

  test("the servers of this machine among them, which no other fork reaches", async () => {
    let count = 0;
    const server = createServer((_, response) => void response.end(String((count += 1))));
    await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
    const sim = createSimulator();
    const merchant = await Merchant.of(sim);
    await merchant.pay({ webhookUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks` });
    await sim.fork().clock.settle();
    expect(count).toBe(0);
    await sim.fork({ connect: true }).clock.settle();
    expect(count).toBe(2);
    await new Promise((resolve) => server.close(resolve));
  });
});
