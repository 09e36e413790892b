import { createSimulator } from "centavo";
import type { Simulator, Snapshot } from "centavo";
import { describe, expect, test } from "vitest";
import { answerOf, ok } from "../merchant/answers.ts";
import { failureOf, waitingIntent } from "./waiting-intent.ts";
import type { WaitingIntent } from "./waiting-intent.ts";

const SLOW = { kind: "request.latency", delay: "40 seconds" } as const;
const LATE = { kind: "response.late", delay: "40 seconds" } as const;
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A call's outcome so far, after every turn of the event loop that it could use without the clock. */
async function stateOf(call: Promise<Response>): Promise<number | "rejected" | "pending"> {
  let state: number | "rejected" | "pending" = "pending";
  void call.then(
    ({ status }) => (state = status),
    () => (state = "rejected"),
  );
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  return state;
}

function intentStatus({ sim, intentId }: WaitingIntent): string | undefined {
  return sim.intents.get(intentId)?.status;
}

function warningsOf(sim: Simulator): unknown[] {
  return sim.journal.entries.filter(({ kind }) => kind === "warning").map(({ details }) => details["message"]);
}

describe("under the manual clock", () => {
  test("a slow call reaches the service when the clock gets there, not before", async () => {
    const waiting = await waitingIntent();
    const fault = waiting.sim.faults.add({ ...SLOW, times: 1 });
    const call = waiting.confirm();
    await fault.struck();
    await waiting.sim.clock.advance({ seconds: 39, milliseconds: 999 });
    expect([await stateOf(call), intentStatus(waiting)]).toEqual(["pending", "requires_payment_method"]);
    await waiting.sim.clock.advance("1 millisecond");
    expect(ok(await answerOf(await call))["status"]).toBe("processing");
    expect(intentStatus(waiting)).toBe("succeeded");
  });

  test("a late answer says what was true when the call was processed", async () => {
    const waiting = await waitingIntent();
    const fault = waiting.sim.faults.add({ ...LATE, times: 1 });
    const call = waiting.confirm();
    await fault.struck();
    expect([await stateOf(call), intentStatus(waiting)]).toEqual(["pending", "processing"]);
    await waiting.sim.clock.advance("40 seconds");
    expect(intentStatus(waiting)).toBe("succeeded");
    expect(ok(await answerOf(await call))["status"]).toBe("processing");
  });

  test("the time on the way there and that on the way back add up, those of several faults too", async () => {
    const waiting = await waitingIntent();
    waiting.sim.faults.add({ ...SLOW, id: "one" });
    const last = waiting.sim.faults.add({ ...SLOW, id: "two", delay: "1 minute" });
    waiting.sim.faults.add({ ...LATE, id: "three" });
    const call = waiting.confirm();
    await last.struck();
    await waiting.sim.clock.advance("1 hour");
    await call;
    const steps = waiting.sim.journal.entries.filter(({ details }) => /^(hold|let-go)$/.test(String(details["act"])));
    expect(
      steps.map(({ at, details }) => [details["act"], (Date.parse(at) - Date.parse("2026-01-01")) / 1000]),
    ).toEqual([
      ["hold", 0],
      ["let-go", 100],
      ["hold", 100],
      ["let-go", 140],
    ]);
    expect(warningsOf(waiting.sim)).toEqual([]);
  });

  test("the clock and the journal tell what is held, and until when", async () => {
    const waiting = await waitingIntent();
    const fault = waiting.sim.faults.add({ ...SLOW, times: 1 });
    void waiting.confirm();
    await fault.struck();
    expect(waiting.sim.clock.pending()).toEqual([
      expect.objectContaining({ at: "2026-01-01T00:00:40.000Z", input: { type: "go_on" } }),
    ]);
    await waiting.sim.clock.advance("40 seconds");
    const lines = String(waiting.sim.journal).split("\n");
    expect(lines).toContainEqual(
      expect.stringMatching(
        /00:00:00\.000Z {2}fault {5}a call is held until 2026-01-01 00:00:40\.000Z: \{ route: "payment-intent\.confirm" \}$/,
      ),
    );
    expect(lines).toContainEqual(expect.stringMatching(/00:00:40\.000Z {2}fault {5}a held call continues:/));
  });

  test("two calls are answered in the order of their moments, whichever came first", async () => {
    const { sim, authorization, confirm } = await waitingIntent();
    const slower = sim.faults.add({ ...SLOW, times: 1, route: "payment-intent.confirm" });
    const slow = sim.faults.add({ ...SLOW, delay: "10 seconds", times: 1, route: "transaction.list" });
    const order: string[] = [];
    const calls = [confirm().then(() => order.push(`confirmed at ${sim.clock.now()}`))];
    await slower.struck();
    calls.push(
      sim
        .fetch("/api/transactions", { headers: { authorization } })
        .then(() => order.push(`read at ${sim.clock.now()}`)),
    );
    await slow.struck();
    await sim.clock.advance("1 minute");
    await Promise.all(calls);
    expect(order).toEqual(["read at 2026-01-01T00:00:10.000Z", "confirmed at 2026-01-01T00:00:40.000Z"]);
  });

  test("the client acts on its answer at the moment of its arrival, in the middle of a long advance", async () => {
    const { sim, confirm, authorization, intentId } = await waitingIntent();
    const fault = sim.faults.add({ ...SLOW, times: 1 });
    const read = confirm().then(async () => {
      const response = await sim.fetch(`/api/payment-intent/${intentId}/status`, { headers: { authorization } });
      return [sim.clock.now(), ok(await answerOf(response))["status"]];
    });
    await fault.struck();
    await sim.clock.advance("1 day");
    expect(await read).toEqual(["2026-01-01T00:00:40.000Z", "processing"]);
  });

  test("webhooks that are due before the answer arrive before it, as a merchant hates", async () => {
    const { sim, confirm } = await waitingIntent({ webhookUrl: "https://shop.example/hooks" });
    const seen: string[] = [];
    sim.connect("https://shop.example", async (request) => {
      seen.push(((await request.json()) as { type: string }).type);
      return new Response();
    });
    const fault = sim.faults.add({ ...LATE, times: 1 });
    const call = confirm().then(({ status }) => seen.push(`answer ${status}`));
    await fault.struck();
    await sim.clock.advance("40 seconds");
    await call;
    expect(seen).toEqual(["payment_intent.processing", "payment_intent.succeeded", "answer 200"]);
  });

  test("a token that expires on the way there is refused, and one that expires on the way back is not", async () => {
    const slow = await waitingIntent();
    const slowly = slow.sim.faults.add({ ...SLOW, delay: "1 hour" });
    const refused = slow.confirm();
    await slowly.struck();
    await slow.sim.clock.advance("1 hour");
    expect(await answerOf(await refused)).toMatchObject({ status: 401, body: { message: "Token expired" } });
    expect(intentStatus(slow)).toBe("requires_payment_method");

    const late = await waitingIntent();
    const lately = late.sim.faults.add({ ...LATE, delay: "1 hour" });
    const answered = late.confirm();
    await lately.struck();
    await late.sim.clock.advance("1 hour");
    expect((await answered).status).toBe(200);
  });

  test("a customer waits too, at each page that is slow", async () => {
    const { sim, authorization } = await waitingIntent();
    const order = {
      externalId: "o",
      amount: 10000,
      description: "Two coffees",
      webhookUrl: "https://shop.example/hooks",
      returnUrl: "https://shop.example/thanks",
      contact: { name: "Ana Reyes", email: "ana@example.com" },
    };
    const headers = { authorization, "content-type": "application/json" };
    const created = await sim.fetch("/api/checkout", { method: "POST", headers, body: JSON.stringify(order) });
    const { checkoutUrl } = ok(await answerOf(created));
    const fault = sim.faults.add({ ...SLOW, path: "/pay/*" });
    const visit = sim.customer.pay(checkoutUrl, "pm_card_approved");
    await fault.struck();
    await sim.clock.advance("40 seconds");
    await fault.struck(2);
    expect(sim.checkouts.last()?.status).toBe("pending");
    await sim.clock.advance("40 seconds");
    expect(await visit).toMatchObject({ status: "processing" });
    expect(sim.clock.now()).toBe("2026-01-01T00:01:20.000Z");
  });

  test("a webhook handler that awaits a held call is told of in the journal, and its delivery times out", async () => {
    // Real time, in which the call reaches the service on a busy machine, too.
    const waiting = await waitingIntent({ webhookUrl: "https://shop.example/hooks", receiverTimeout: 1000 });
    const calls: Promise<Response>[] = [];
    waiting.sim.connect("https://shop.example", async () => {
      calls.push(waiting.sim.fetch("/api/transactions", { headers: { authorization: waiting.authorization } }));
      await calls.at(-1);
      return new Response();
    });
    await waiting.confirm();
    waiting.sim.faults.add({ ...SLOW, delay: "1 second", times: 1 });
    await waiting.sim.clock.advance("1 second");
    expect(waiting.sim.webhooks.attempts()[0]).toMatchObject({ answer: { reason: "timeout" } });
    expect(warningsOf(waiting.sim)).toEqual([
      expect.stringMatching(/^a call is held while the clock waits for .*both wait until the delivery times out$/),
    ]);
    expect((await calls[0])?.status).toBe(200);
  });
});

describe("under the auto clock", () => {
  test.each([SLOW, LATE, { ...SLOW, delay: "3 days" } as const])(
    "a call that takes $delay ($kind) is answered by virtual time alone",
    async (fault) => {
      const waiting = await waitingIntent({ clock: "auto", assumptions: { "auth.token-lifetime": "7 days" } });
      waiting.sim.faults.add({ ...fault, times: 1 });
      expect((await waiting.confirm()).status).toBe(200);
      const waited = Date.parse(waiting.sim.clock.now()) - Date.parse("2026-01-01");
      expect(waited).toBe(fault.delay === "3 days" ? 259_200_000 : 40_000);
    },
  );

  test("timers that are due meanwhile run on the way, and later ones stay", async () => {
    const waiting = await waitingIntent({ clock: "auto" });
    waiting.sim.faults.add({ ...LATE, times: 1 });
    await waiting.confirm();
    expect(intentStatus(waiting)).toBe("succeeded");
    await nextTurn();
    await nextTurn();
    expect(waiting.sim.clock.now()).toBe("2026-01-01T00:00:40.000Z");
  });

  test("a call that is broken off by a restore or a close moves no clock afterwards", async () => {
    const waiting = await waitingIntent({ clock: "auto" });
    await waiting.confirm();
    const processing = waiting.sim.snapshot();
    const ends = [async () => waiting.sim.restore(processing), async () => waiting.sim.close()];
    for (const end of ends) {
      waiting.sim.restore(processing);
      const fault = waiting.sim.faults.add({ kind: "request.hang", times: 1 });
      const hanging = failureOf(waiting.confirm());
      await fault.struck();
      await end();
      await hanging;
      for (let turn = 0; turn < 5; turn += 1) await nextTurn();
      expect(intentStatus(waiting)).toBe("processing");
    }
  });
});

describe("the client that gave up", () => {
  test.each([SLOW, LATE])("is told so at once ($kind), and the service goes on with its call", async (fault) => {
    const waiting = await waitingIntent();
    const added = waiting.sim.faults.add({ ...fault, times: 1 });
    const controller = new AbortController();
    const outcome = failureOf(waiting.confirm({ signal: controller.signal }));
    await added.struck();
    controller.abort();
    expect(await outcome).toMatchObject({ name: "AbortError" });
    await waiting.sim.clock.advance("1 minute");
    expect(intentStatus(waiting)).toBe("succeeded");
    expect(warningsOf(waiting.sim)).toEqual([]);
  });

  test("gives the reason that it chose", async () => {
    const waiting = await waitingIntent();
    const fault = waiting.sim.faults.add({ kind: "request.hang" });
    const controller = new AbortController();
    const outcome = failureOf(waiting.confirm({ signal: controller.signal }));
    await fault.struck();
    controller.abort(new RangeError("too slow"));
    expect(await outcome).toEqual(new RangeError("too slow"));
  });

  test("is told so too when it gives up while its request is on the way", async () => {
    const waiting = await waitingIntent();
    const fault = waiting.sim.faults.add({ kind: "response.lost", as: "hang" });
    const controller = new AbortController();
    const outcome = failureOf(waiting.confirm({ signal: controller.signal }));
    controller.abort();
    expect(await outcome).toMatchObject({ name: "AbortError" });
    expect([fault.hits, intentStatus(waiting)]).toEqual([1, "processing"]);
  });

  test("sends nothing when it gives up beforehand", async () => {
    const waiting = await waitingIntent();
    waiting.sim.faults.add({ kind: "request.hang" });
    await failureOf(waiting.confirm({ signal: AbortSignal.abort() }));
    expect(waiting.sim.faults.unused()).toHaveLength(1);
  });
});

describe("the same Idempotency-Key while the first call is held", () => {
  test.each([SLOW, LATE])("is 409 ($kind), and the first answer again afterwards", async (fault) => {
    const waiting = await waitingIntent();
    const added = waiting.sim.faults.add({ ...fault, times: 1 });
    const first = waiting.confirm({ key: "order-1" });
    await added.struck();
    expect(await answerOf(await waiting.confirm({ key: "order-1" }))).toMatchObject({
      status: 409,
      body: { code: "IDEMPOTENCY_KEY_IN_USE", message: expect.stringContaining("still being answered") as string },
    });
    await waiting.sim.clock.advance("40 seconds");
    const again = await waiting.confirm({ key: "order-1" });
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await again.json()).toEqual(await (await first).json());
    expect(waiting.sim.intents.list()).toHaveLength(1);
  });

  test("is 409 when the repeated call was held too, and reaches the service before the first is answered", async () => {
    const waiting = await waitingIntent();
    const late = waiting.sim.faults.add({ ...LATE, times: 1 });
    const first = waiting.confirm({ key: "k" });
    await late.struck();
    const slow = waiting.sim.faults.add({ ...SLOW, delay: "30 seconds", times: 1 });
    const second = waiting.confirm({ key: "k" });
    await slow.struck();
    await waiting.sim.clock.advance("1 minute");
    expect([(await first).status, (await second).status]).toEqual([200, 409]);
  });

  test("does not block the first when the repeated call is the slower one", async () => {
    const waiting = await waitingIntent();
    const slow = waiting.sim.faults.add({ ...SLOW, times: 2 });
    const first = waiting.confirm({ key: "k" });
    await slow.struck();
    await waiting.sim.clock.advance("1 second");
    const second = waiting.confirm({ key: "k" });
    await slow.struck(2);
    await waiting.sim.clock.advance("1 minute");
    expect([(await first).status, (await second).headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  });

  test("is another key when only its case differs", async () => {
    const waiting = await waitingIntent();
    const fault = waiting.sim.faults.add({ ...SLOW, times: 1 });
    void waiting.confirm({ key: "k" });
    await fault.struck();
    expect((await waiting.confirm({ key: "K" })).status).toBe(200);
  });
});

describe("a held call ends with its connection", () => {
  const ends: readonly [string, (sim: Simulator, kept: Snapshot) => unknown][] = [
    ["reset", (sim) => sim.reset()],
    ["restore", (sim, kept) => sim.restore(kept)],
    ["close", (sim) => sim.close()],
  ];
  const faults = [SLOW, LATE, { kind: "request.hang" } as const, { kind: "response.lost", as: "hang" } as const];

  test.each(ends.flatMap(([name, end]) => faults.map((fault) => [name, fault.kind, fault, end] as const)))(
    "at %s, when %s holds it",
    async (_, __, fault, end) => {
      const waiting = await waitingIntent();
      const kept = waiting.sim.snapshot();
      const added = waiting.sim.faults.add(fault);
      const call = waiting.confirm({ key: "k" });
      await added.struck();
      await end(waiting.sim, kept);
      expect(await failureOf(call)).toMatchObject({ message: "fetch failed", cause: { code: "WORLD_ENDED" } });
    },
  );

  test("and its key is free again in the world that is put back", async () => {
    const waiting = await waitingIntent();
    const kept = waiting.sim.snapshot();
    const fault = waiting.sim.faults.add(SLOW);
    const call = failureOf(waiting.confirm({ key: "k" }));
    await fault.struck();
    waiting.sim.restore(kept);
    await call;
    expect((await waiting.confirm({ key: "k" })).status).toBe(200);
  });

  test("a test that waits for a fault to strike is told when the world is replaced", async () => {
    const { sim } = await waitingIntent();
    const struck = sim.faults.add(SLOW).struck();
    sim.reset();
    await expect(struck).rejects.toMatchObject({ code: "INVALID_STATE" });
  });

  test("after a close, its timers on the clock change nothing", async () => {
    const waiting = await waitingIntent();
    const fault = waiting.sim.faults.add(SLOW);
    const call = failureOf(waiting.confirm());
    await fault.struck();
    await waiting.sim.close();
    await call;
    await waiting.sim.clock.advance("1 minute");
    expect(intentStatus(waiting)).toBe("requires_payment_method");
    expect(warningsOf(waiting.sim).slice(1)).toEqual([expect.stringContaining("has lost its client")]);
  });
});

describe("a copy of a world with a held call", () => {
  test.each([
    ["a fork", ({ sim }: WaitingIntent) => sim.fork()],
    [
      "a world restored from JSON",
      ({ sim }: WaitingIntent) => {
        const other = createSimulator({ baseUrl: sim.baseUrl });
        other.restore(JSON.parse(JSON.stringify(sim.snapshot())) as Snapshot);
        return other;
      },
    ],
  ])("%s never gets it, because it has no client to answer", async (_, copyOf) => {
    const waiting = await waitingIntent();
    const fault = waiting.sim.faults.add({ ...SLOW, times: 1 });
    const call = waiting.confirm();
    await fault.struck();
    const copy = copyOf(waiting);
    await copy.clock.advance("1 minute");
    expect(copy.intents.get(waiting.intentId)?.status).toBe("requires_payment_method");
    expect(warningsOf(copy)).toEqual([expect.stringContaining("has lost its client")]);
    await waiting.sim.clock.advance("1 minute");
    expect((await call).status).toBe(200);
    expect(warningsOf(waiting.sim)).toEqual([]);
  });

  test("that is made while the client acts on its answer does not hold the call any more", async () => {
    const waiting = await waitingIntent();
    const fault = waiting.sim.faults.add({ ...SLOW, times: 1 });
    const kept = waiting.confirm().then(() => waiting.sim.snapshot());
    await fault.struck();
    await waiting.sim.clock.advance("1 minute");
    expect((await kept).world.timers.map(({ owner }) => owner)).not.toContain("held-call");
  });
});
