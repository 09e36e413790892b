import type { MerchantApp } from "../../../src/kit/receivers/merchant-app.ts";
import { createReceiver } from "../../../src/kit/receivers/receiver.ts";
import { createSimulator } from "centavo";
import { adapters, createShop } from "../frameworks/nest/shop.ts";
import { afterEach, describe, expect, test } from "vitest";

const origin = "https://shop.example";
const body = '{ "id": "evt_1",\n "amount": 1e4 }';

const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const receiver of opened.splice(0)) await receiver.close();
});

function connect(app: MerchantApp, receiverTimeout?: number) {
  const receiver = createReceiver(origin, app, { receiverTimeout });
  opened.push(receiver);
  return receiver;
}

function hook(path = "/api/hooks/payments?source=centavo"): Request {
  return new Request(origin + path, { method: "POST", headers: { "content-type": "application/json" }, body });
}

describe.each(Object.keys(adapters) as (keyof typeof adapters)[])("a Nest application on %s", (adapter) => {
  test.for([
    ["that was initialised before", true],
    ["that is not initialised yet", false],
  ] as const)("%s gets each request as it was sent", async ([, isInitialised]) => {
    const seen: unknown[] = [];
    const app = await createShop(adapter, {
      see: ({ method, originalUrl, headers, rawBody }) =>
        seen.push([method, originalUrl, headers["host"], String(rawBody)]),
    });
    if (isInitialised) await app.init();
    const receiver = connect(app);
    const answered = { kind: "answered", status: 201, retryAfter: "7", bodyExcerpt: "thanks" };
    expect(await Promise.all([receiver.send(hook()), receiver.send(hook())])).toEqual([answered, answered]);
    const expected = ["POST", "/api/hooks/payments?source=centavo", "shop.example", body];
    expect(seen).toEqual([expected, expected]);
    await app.close();
  });

  test("is initialised once, also for two origins, a fork, and by its test after that", async () => {
    let starts = 0;
    const app = await createShop(adapter, { start: () => (starts += 1) });
    const sim = createSimulator();
    sim.connect(origin, app);
    sim.connect("https://second.example", app);
    const fork = sim.fork({ connect: true });
    const visits = [
      sim.visit(`${origin}/api/hooks/a`, { method: "POST" }),
      sim.visit("https://second.example/api/hooks/a", { method: "POST" }),
      fork.visit(`${origin}/api/hooks/a`, { method: "POST" }),
    ];
    for (const answer of await Promise.all(visits)) expect(answer.status).toBe(201);
    await app.init();
    expect(starts).toBe(1);
    await Promise.all([sim.close(), fork.close()]);
    await app.close();
  });

  test("answers with what its own exception filters make of an error, and of an unknown path", async () => {
    const app = await createShop(adapter);
    const receiver = connect(app);
    expect(await receiver.send(new Request(`${origin}/api/hooks/fail`))).toMatchObject({ status: 500 });
    expect(await receiver.send(hook("/elsewhere"))).toMatchObject({ status: 404 });
    await app.close();
  });

  test("that fails to start fails each request, and says why", async () => {
    const app = await createShop(adapter, {
      start: () => {
        throw new Error("the database is down");
      },
    });
    const receiver = connect(app);
    const failed = {
      kind: "failed",
      reason: "threw",
      message: expect.stringContaining("could not be started: Error: the database is down") as string,
    };
    expect(await receiver.send(hook())).toMatchObject(failed);
    expect(await receiver.send(hook())).toMatchObject(failed);
  });

  test("that never ends to start fails each request in time, and says how to start it before", async () => {
    const started = Promise.withResolvers<void>();
    const app = await createShop(adapter, { start: () => started.promise });
    const receiver = connect(app, 900);
    const failed = {
      kind: "failed",
      reason: "timeout",
      clock: "real",
      message: expect.stringMatching(/did not start within 900 ms of real time.*await app\.init\(\) in Nest/) as string,
    };
    expect(await receiver.send(hook())).toMatchObject(failed);
    expect(await receiver.send(hook())).toMatchObject(failed);
    started.resolve();
    expect(await receiver.visit(hook())).toMatchObject({ status: 201 });
    await app.close();
  });

  test("belongs to its test: closing the simulator leaves it as it is", async () => {
    const app = await createShop(adapter);
    const sim = createSimulator();
    sim.connect(origin, app);
    expect((await sim.visit("POST", "/api/hooks/a", {})).status).toBe(201);
    await sim.close();
    expect(await connect(app).send(hook())).toMatchObject({ status: 201 });
    await app.close();
  });
});
