import { createSimulator, replay, type Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import { DeliveryByHand } from "../../src/merchant/deliveries/delivery-by-hand.ts";
import { expectReplayable } from "./replayable.ts";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";

describe("a recording", () => {
  test("is plain JSON with the options, the inputs at their virtual times, and the digest", async () => {
    const merchant = await Merchant.open(
      {
        seed: "a seed",
        webhookUrl: HOOKS,
        assumptions: { "intent.processing-time": "3 seconds" },
      },
      () => new Response("", { status: 201 }),
    );
    const { sim } = merchant;
    const { id } = await merchant.createIntent();
    await sim.clock.advance("5 seconds");
    ok(await merchant.confirm(id));
    await sim.clock.advance("1 minute");

    const { options, inputs, end, digest } = sim.recording();
    expect(options).toEqual({
      baseUrl: "https://api.pay.example",
      authUrl: "https://api.pay.example",
      seed: "a seed",
      now: "2026-01-01T00:00:00.000Z",
      webhookUrl: HOOKS,
      assumptions: { "intent.processing-time": "3 seconds" },
    });
    const start = Date.parse("2026-01-01T00:00:00Z");
    expect(inputs).toMatchObject([
      { kind: "request", at: start, timers: 0, method: "POST", target: "/oauth", status: 200 },
      { kind: "request", at: start, timers: 0, target: "/api/payment-intent", body: '{"amount":10000}' },
      { kind: "request", at: start + 5000, timers: 0, target: `/api/payment-intent/${id}/confirm` },
      { kind: "answer", at: start + 5000, timers: 1, answer: { kind: "answered", status: 201 } },
      { kind: "answer", at: start + 8000, timers: 3, answer: { kind: "answered", status: 201 } },
    ]);
    expect(end).toEqual({ at: start + 65_000, timers: 3 });
    expect(digest).toBe(sim.journal.digest());
  });

  test("is replayed to a simulator that goes on from there", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    await merchant.pay();
    await sim.clock.settle();
    const replayed = await expectReplayable(sim);
    for (const each of [sim, replayed]) {
      each.connect(SHOP, () => new Response("", { status: 500 }));
      await (await Merchant.of(each)).pay();
      await each.clock.advance("1 hour");
    }
    expect(replayed.journal.digest()).toBe(sim.journal.digest());
  });

  test("is a copy: changes to it do not change the world", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    await merchant.pay();
    const recording = sim.recording();
    recording.inputs.length = 0;
    recording.options.seed = "another";
    await expectReplayable(sim);
  });

  test("has what the test does in the service's and the customer's place", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    const paymentMethodId = sim.paymentMethods.create({
      cardNumber: "5100000000000198",
      expMonth: "12",
      expYear: "30",
      cvc: "123",
    });
    const { id: declined } = await merchant.createIntent();
    await sim.fetch(`/api/payment-intent/${declined}/confirm`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ paymentMethodId }),
    });
    sim.intents.cancel((await merchant.createIntent()).id);
    const { checkoutUrl } = await merchant.createCheckout();
    const { redirectedTo } = await sim.customer.pay(checkoutUrl, "pm_card_challenge");
    await sim.customer.authenticate(redirectedTo);
    await sim.clock.settle();
    sim.webhooks.redeliver(sim.webhooks.events()[0]?.id ?? "");
    await sim.clock.settle();
    const replayed = await expectReplayable(sim);
    expect(String(replayed.journal)).toBe(String(sim.journal));
    expect(replayed.webhooks.attempts()).toEqual(sim.webhooks.attempts());
  });

  test("has events that were held back and let go, and what others sent to the merchant", async () => {
    const merchant = await Merchant.open();
    const { sim, arrivals } = merchant;
    const byHand = new DeliveryByHand(sim);
    const letGo = byHand.hold(({ type }) => type === "payment_intent.processing");
    await merchant.pay({});
    await sim.clock.settle();
    await byHand.send("a guess", new Request(HOOKS, { method: "POST", body: "{}" }));
    letGo();
    await sim.clock.settle();
    expect(arrivals).toHaveLength(3);
    expect(sim.recording().inputs.slice(3)).toMatchObject([
      { kind: "obstacle", status: "held" },
      { kind: "answer" },
      { kind: "note", entry: "hostile" },
      { kind: "resumed" },
      { kind: "answer" },
    ]);
    await expectReplayable(sim);
  });

  test("has bodies that cannot be read", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    const bodies = [new Uint8Array([0xff, 0xfe]), "x".repeat(1024 * 1024 + 1), "\uFEFF\uFEFF{}", "", "{}"];
    for (const body of bodies) await sim.fetch("/oauth", { method: "POST", body });
    await sim.fetch("/oauth", { method: "POST" });
    const unreadable = sim.recording().inputs.map((input) => (input.kind === "request" ? input.unreadable : undefined));
    expect(unreadable.slice(1, 3)).toEqual(["MALFORMED_JSON", "BODY_TOO_LARGE"]);
    await expectReplayable(sim);
  });
});

test("a loop that settle() cannot end is replayed as far as it ran", async () => {
  const merchant = await Merchant.open();
  const { sim } = merchant;
  sim.connect(SHOP, async (request) => {
    sim.webhooks.redeliver(((await request.json()) as { id: string }).id);
    return new Response();
  });
  await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
  await expect(sim.clock.settle()).rejects.toThrow("caused one another");
  await expectReplayable(sim);
});

describe("the recording of another world", () => {
  test("begins anew after a reset", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    await merchant.pay();
    await sim.clock.settle();
    sim.reset();
    expect(sim.recording()).toMatchObject({ inputs: [], end: { timers: 0 } });
    expect(sim.recording()).not.toHaveProperty("start");
    await (await Merchant.of(sim)).pay();
    await expectReplayable(sim);
  });

  test("begins with the world that was restored", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    await merchant.pay();
    const snapshot = sim.snapshot();
    await sim.clock.advance("1 day");
    sim.restore(snapshot);
    await sim.clock.settle();
    const recording = sim.recording();
    expect(recording.start).toEqual(snapshot);
    expect(recording.inputs).toMatchObject([{ kind: "answer" }, { kind: "answer" }]);
    await expectReplayable(sim);
  });

  test("of a fork begins where the parent's does, and goes its own way from there", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    const id = await merchant.pay({ webhookUrl: HOOKS }, "pm_card_challenge");
    const [passed, failed] = [sim.fork(), sim.fork({ connect: true })];
    sim.intents.cancel(id);
    await passed.clock.advance("2 hours");
    passed.connect(SHOP, () => new Response());
    await passed.clock.settle();
    await failed.clock.advance("2 hours");
    const again = passed.fork({ connect: true });
    await again.clock.advance("1 day");
    for (const each of [sim, passed, failed, again]) await expectReplayable(each);
    expect(passed.recording().inputs.slice(0, 3)).toEqual(sim.recording().inputs.slice(0, 3));
  });
});

describe("a recording that is taken while a delivery is under way", () => {
  test("ends there: the delivery is still to come in the replay", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    await merchant.pay();
    const taken = Promise.withResolvers<Simulator>();
    const digests: string[] = [];
    sim.connect(SHOP, async () => {
      digests.push(sim.journal.digest());
      taken.resolve(await replay(sim.recording()));
      return new Response();
    });
    await sim.clock.settle();
    const replayed = await taken.promise;
    expect(replayed.journal.digest()).toBe(digests[0]);
    replayed.connect(SHOP, () => new Response());
    await replayed.clock.settle();
    expect(replayed.journal.digest()).toBe(sim.journal.digest());
  });

  test("and a fork made then starts from the world as it stands", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    await merchant.pay();
    const forks: Simulator[] = [];
    sim.connect(SHOP, () => {
      forks.push(sim.fork());
      return new Response();
    });
    await sim.clock.settle();
    const [fork] = forks as [Simulator];
    expect(fork.recording()).toMatchObject({ start: { version: 2 }, inputs: [] });
    await fork.clock.settle();
    fork.connect(SHOP, () => new Response());
    await fork.clock.settle();
    await expectReplayable(fork);
  });
});

test("a call that hung until its client gave up is no longer under way: a fork's recording begins where its parent's does", async () => {
  const { sim } = await Merchant.open();
  const hang = sim.faults.add({ kind: "request.hang" });
  const client = new AbortController();
  const call = sim.fetch("/api/payment-intent", { signal: client.signal });
  await hang.struck();
  expect(sim.fork().recording().start, "while it hangs").toBeDefined();
  client.abort(new Error("gave up"));
  await expect(call).rejects.toThrow("gave up");
  const fork = sim.fork();
  expect(fork.recording().start).toBeUndefined();
  await expectReplayable(fork);
});

describe("what is recorded", () => {
  test("is nothing with recording: false, and it says so", () => {
    expect(() => createSimulator({ recording: false }).recording()).toThrow("the option recording is false");
  });

  test("forgets the payments that the world has forgotten", async () => {
    const merchant = await Merchant.open({ keep: 1 });
    const { sim } = merchant;
    const ids: string[] = [];
    for (let payment = 0; payment < 200; payment += 1) ids.push(await merchant.pay({}));
    await sim.clock.settle();
    const { status } = await sim.fetch(`/api/payment-intent/${ids[0]}/status`);
    const replayed = await replay(sim.recording());
    expect(replayed.recording().options).toMatchObject({ keep: 1 });
    expect(replayed.journal.digest()).toBe(sim.journal.digest());
    expect(replayed.intents.list()).toEqual(sim.intents.list());
    expect(status).toBe(401);
  });
});
