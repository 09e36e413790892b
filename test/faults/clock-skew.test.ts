import { createSimulator, type Fault, type Simulator, type SimulatorOptions } from "centavo";
import { fakeDate } from "centavo/node";
import { verifyWebhook } from "centavo/webhooks";
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify, type JWTVerifyOptions } from "jose";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { type Arrival, Merchant } from "../merchant.ts";
import { ok, type Answer } from "../merchant/answers.ts";
import { HOOKS, callWith, register, tokensOf, type Registered } from "../merchant/requests.ts";

const START = Date.parse("2026-01-01T00:00:00Z") / 1000;

function stampOf({ headers }: Arrival): number {
  return Number(/^t=(\d+),/.exec(headers.get("x-webhook-signature") ?? "")?.[1]);
}

/** What arrives at a merchant of one paid intent, with the service's clock wrong. */
async function arrivalsWith(
  fault: Fault,
  assumptions: NonNullable<SimulatorOptions["assumptions"]> = {},
): Promise<{ sim: Simulator; arrivals: Arrival[]; secret: string }> {
  const merchant = await Merchant.open({ assumptions });
  const { sim, arrivals } = merchant;
  sim.faults.add(fault);
  await merchant.pay();
  await sim.clock.settle();
  expect(merchant.eventTypes).toEqual(["payment_intent.processing", "payment_intent.succeeded"]);
  return { sim, arrivals, secret: sim.credentials.webhookSecret };
}

describe("a webhook's stamp, when the service's clock is wrong", () => {
  test.each([
    ["ahead by default", {}, 400],
    ["ahead", { direction: "ahead" }, 400],
    ["behind", { direction: "behind" }, -400],
  ] as const)("is %s of the merchant's by so much", async (_, direction, seconds) => {
    const fault = { kind: "clock.skew", by: "400 s", ...direction } as const;
    const { arrivals } = await arrivalsWith(fault, { "webhook.stamp": "virtual" });
    expect(arrivals.map(stampOf)).toEqual([START + seconds, START + seconds]);
  });

  test.each([
    ["ahead", "is 400 s in the future, 100 s more than the tolerance"],
    ["behind", "is 400 s old, 100 s more than the tolerance"],
  ] as const)("%s by more than the merchant's tolerance fails verifyWebhook", async (direction, why) => {
    const { sim, arrivals, secret } = await arrivalsWith(
      { kind: "clock.skew", by: "400 s", direction },
      { "webhook.stamp": "virtual" },
    );
    using _date = fakeDate(sim);
    for (const { headers, body } of arrivals) {
      await expect(verifyWebhook({ headers, body }, secret)).rejects.toThrow(why);
      expect(await verifyWebhook({ headers, body }, secret, { tolerance: 400 })).toEqual(JSON.parse(body));
    }
  });

  test("within the tolerance passes", async () => {
    const { sim, arrivals, secret } = await arrivalsWith(
      { kind: "clock.skew", by: "5 minutes" },
      { "webhook.stamp": "virtual" },
    );
    using _date = fakeDate(sim);
    for (const { headers, body } of arrivals)
      expect(await verifyWebhook({ headers, body }, secret)).toEqual(JSON.parse(body));
  });

  test.each([
    ["ahead", "Message timestamp too new"],
    ["behind", "Message timestamp too old"],
  ] as const)("%s fails the library of Standard Webhooks", async (direction, why) => {
    const { arrivals, secret } = await arrivalsWith(
      { kind: "clock.skew", by: "10 minutes", direction, times: 1 },
      { "webhook.signature": "standard-webhooks" },
    );
    const verify = ({ headers, body }: Arrival) => new Webhook(secret).verify(body, Object.fromEntries(headers));
    const [skewed, right] = arrivals as [Arrival, Arrival];
    expect(() => verify(skewed)).toThrow(why);
    expect(verify(right)).toEqual(JSON.parse(right.body));
  });

  test("follows the process's faked Date, and is wrong by as much against it", async () => {
    const merchant = await Merchant.open();
    const { sim, arrivals } = merchant;
    using _date = fakeDate(sim);
    sim.faults.add({ kind: "clock.skew", by: "1 day", direction: "behind" });
    await sim.clock.advance("40 days");
    await merchant.pay();
    await sim.clock.settle();
    expect(arrivals.map(stampOf)).toEqual([START + 39 * 86_400, START + 39 * 86_400]);
  });

  test("is wrong on one attempt, so that the merchant refuses it, and right on the retry", async () => {
    const merchant = await Merchant.open({ assumptions: { "webhook.stamp": "virtual" } }, async ({ headers, body }) => {
      const isGenuine = verifyWebhook({ headers, body }, sim.credentials.webhookSecret, {
        now: () => sim.clock.now(),
      });
      return isGenuine.then(
        () => new Response(),
        () => new Response(null, { status: 400 }),
      );
    });
    const { sim, arrivals } = merchant;
    sim.faults.add({ kind: "clock.skew", by: "1 hour", nth: 1 });
    await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
    await sim.clock.settle();
    expect(sim.webhooks.events()).toMatchObject([{ status: "pending", attempts: 1 }]);
    await sim.clock.advance("2 seconds");
    expect(sim.webhooks.events()).toMatchObject([{ status: "delivered", attempts: 2 }]);
    expect(arrivals.map(stampOf)).toEqual([START + 3600, START + 2]);
  });

  test("does not move what a Retry-After date asks for, which is the receiver's own time", async () => {
    const merchant = await Merchant.open(
      { assumptions: { "webhook.stamp": "virtual" } },
      () => new Response(null, { status: 503, headers: { "retry-after": "Thu, 01 Jan 2026 00:05:00 GMT" } }),
    );
    const { sim } = merchant;
    sim.faults.add({ kind: "clock.skew", by: "4 minutes" });
    await merchant.pay({ webhookUrl: HOOKS }, "pm_display_details");
    await sim.clock.settle();
    expect(sim.webhooks.attempts()[0]?.nextAt).toBe("2026-01-01T00:05:00.000Z");
  });

  test("leaves the body, its times and the event's id as they are", async () => {
    const skewed = await arrivalsWith({ kind: "clock.skew", by: "1 day" });
    const right = await arrivalsWith({ kind: "clock.skew", by: "1 day", merchant: "mer_nobody" });
    expect(skewed.arrivals.map(({ body, at }) => [body, at])).toEqual(right.arrivals.map(({ body, at }) => [body, at]));
  });
});

describe("an access token, when the service's clock is wrong", () => {
  async function verified(sim: Simulator, token: string, options: JWTVerifyOptions = {}): Promise<unknown> {
    const keys = (await (await sim.fetch(`${sim.authUrl}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
    const merchantsNow = { currentDate: new Date(sim.clock.now()), ...options };
    return (await jwtVerify(token, createLocalJWKSet(keys), merchantsNow)).payload;
  }

  test.each([
    ["ahead", 7200],
    ["behind", -7200],
  ] as const)("%s has both its times moved, and lives as long as ever", async (direction, seconds) => {
    const sim = createSimulator();
    sim.faults.add({ kind: "clock.skew", by: "2 hours", direction });
    const { access } = await tokensOf(sim);
    expect(decodeJwt(access)).toMatchObject({ iat: START + seconds, exp: START + seconds + 3600 });
  });

  test("says the same expires_in, which is a length", async () => {
    const sim = createSimulator();
    sim.faults.add({ kind: "clock.skew", by: "2 hours" });
    const client = { client_id: sim.credentials.clientId, client_secret: sim.credentials.clientSecret };
    const response = await sim.fetch(`${sim.authUrl}/oauth`, { method: "POST", body: new URLSearchParams(client) });
    expect(await response.json()).toMatchObject({ expires_in: 3600 });
  });

  test("behind by more than its lifetime has expired for jose, and the service still takes it", async () => {
    const sim = createSimulator();
    const fault = sim.faults.add({ kind: "clock.skew", by: "61 minutes", direction: "behind" });
    const { access } = await tokensOf(sim);
    await expect(verified(sim, access)).rejects.toThrow('"exp" claim timestamp check failed');
    expect(await verified(sim, access, { clockTolerance: "2 minutes" })).toMatchObject({
      sub: sim.credentials.clientId,
    });
    expect((await callWith(access, sim, "/api/payment-intent", { amount: 1 })).status).toBe(200);
    fault.remove();
    expect(await verified(sim, (await tokensOf(sim)).access)).toMatchObject({ iat: START });
  });

  test("ahead was issued in the future for jose, and expires at the service before its own exp", async () => {
    const sim = createSimulator();
    sim.faults.add({ kind: "clock.skew", by: "10 minutes", direction: "ahead" });
    const { access } = await tokensOf(sim);
    await expect(verified(sim, access, { maxTokenAge: "1 hour" })).rejects.toThrow(
      '"iat" claim timestamp check failed',
    );
    const charge = (): Promise<Answer> => callWith(access, sim, "/api/payment-intent", { amount: 1 });
    await sim.clock.advance({ milliseconds: 3_599_999 });
    expect((await charge()).status).toBe(200);
    await sim.clock.advance("1 ms");
    expect(await verified(sim, access)).toMatchObject({ exp: START + 4200 });
    expect((await charge()).body).toMatchObject({ message: "Token expired" });
  });

  test("that is refreshed is a separate occasion, and has the same jti and refresh token as without the fault", async () => {
    const [skewed, right] = await Promise.all(
      [true, false].map(async (isWrong) => {
        const sim = createSimulator();
        const fault = isWrong ? sim.faults.add({ kind: "clock.skew", by: "1 day", after: 1 }) : undefined;
        const { refresh } = await tokensOf(sim);
        const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: refresh });
        const response = await sim.fetch(`${sim.authUrl}/oauth`, { method: "POST", body });
        const refreshed = (await response.json()) as { access_token: string; refresh_token: string };
        return { hits: fault?.hits, claims: decodeJwt(refreshed.access_token), refresh: refreshed.refresh_token };
      }),
    );
    expect(skewed?.hits).toBe(1);
    expect(skewed?.refresh).toBe(right?.refresh);
    expect(skewed?.claims).toEqual({ ...right?.claims, iat: START + 86_400, exp: START + 90_000 });
  });
});

describe("a skewed clock", () => {
  test("is seen only by the merchant that the fault names", async () => {
    const sim = createSimulator();
    const data = ok(await register<Registered>(sim));
    const fault = sim.faults.add({ kind: "clock.skew", by: "1 day", merchant: data.id });
    expect(decodeJwt((await tokensOf(sim)).access).iat).toBe(START);
    expect(fault.hits).toBe(0);
    expect(decodeJwt((await tokensOf(sim, data)).access).iat).toBe(START + 86_400);
    expect(fault.hits).toBe(1);
  });

  test.each([
    ["token", [true, false, false]],
    ["webhook", [false, true, true]],
    [undefined, [true, true, true]],
  ] as const)("may be that of one sort of stamp: %s", async (stamp, wrong) => {
    const merchant = await Merchant.open({ assumptions: { "webhook.stamp": "virtual" } });
    const { sim, arrivals } = merchant;
    const fault = sim.faults.add({ kind: "clock.skew", by: "1 day", ...(stamp === undefined ? {} : { stamp }) });
    await merchant.logIn();
    const { access } = await tokensOf(sim);
    await merchant.pay();
    await sim.clock.settle();
    const times = [decodeJwt(access).iat, ...arrivals.map(stampOf)];
    expect(times.map((time) => time === START + 86_400)).toEqual(wrong);
    expect(fault.hits).toBe({ token: 2, webhook: 2, both: 4 }[stamp ?? "both"]);
  });

  test("is right again outside its window", async () => {
    const sim = createSimulator();
    sim.faults.add({
      kind: "clock.skew",
      by: "1 day",
      from: "2026-01-01T00:00:01Z",
      until: "2026-01-01T00:00:03Z",
    });
    const skews: number[] = [];
    for (const second of [0, 1, 2, 3]) {
      skews.push((decodeJwt((await tokensOf(sim)).access).iat ?? 0) - START - second);
      await sim.clock.advance("1 second");
    }
    expect(skews).toEqual([0, 86_400, 86_400, 0]);
  });

  test("does not change the service's own deadlines, retries or times on the wire", async () => {
    const [skewed, right] = await Promise.all(
      [true, false].map(async (isWrong) => {
        const merchant = await Merchant.open({}, (_, count) => new Response(null, { status: count < 4 ? 500 : 200 }));
        const { sim } = merchant;
        if (isWrong) sim.faults.add({ kind: "clock.skew", by: "300 days", direction: "behind" });
        const id = await merchant.pay();
        await sim.clock.advance("10 minutes");
        const attempts = sim.webhooks.attempts().map(({ eventId, at, nextAt }) => ({ eventId, at, nextAt }));
        return { intent: sim.intents.get(id), events: sim.webhooks.events(), attempts };
      }),
    );
    expect(skewed).toEqual(right);
  });

  test("comes from the first fault that fires, and the journal names each stamp", async () => {
    const sim = createSimulator();
    sim.faults.add({ kind: "clock.skew", by: "1 hour", times: 1 });
    sim.faults.add({ kind: "clock.skew", by: "2 hours" });
    const iats = [];
    for (const _ of [1, 2]) iats.push(decodeJwt((await tokensOf(sim)).access).iat);
    expect(iats).toEqual([START + 3600, START + 7200]);
    const strikes = sim.journal.entries.filter(({ kind, details }) => kind === "fault" && details["act"] === "strike");
    expect(strikes.map(({ details: { id, kind, hit } }) => [id, kind, hit])).toEqual([
      ["fault_1", "clock.skew", 1],
      ["fault_2", "clock.skew", 1],
    ]);
    expect(sim.journal.toString()).toMatch(/fault +fault_1 fires \(clock\.skew, 1st time\) \{ stamp: "token", jti: "/);
  });

  test("in the journal names the event whose stamp it was", async () => {
    const { sim } = await arrivalsWith({ kind: "clock.skew", by: "1 hour" });
    const strikes = sim.journal.entries.filter(({ kind, details }) => kind === "fault" && details["act"] === "strike");
    expect(strikes.map(({ details }) => details["event"])).toEqual(sim.webhooks.events().map(({ id }) => id));
  });
});
