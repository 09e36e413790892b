import { createClient } from "centavo/client";
import { fixtures } from "centavo/fixtures";
import type { Fault } from "centavo";
import { describe, expect, test, vi } from "vitest";
import { ways } from "../ways-in/ways.ts";
import { failureOf, waitingIntent, strikesIn } from "./waiting-intent.ts";

describe("sim.fetch rejects as fetch does", () => {
  const rows: readonly [Fault, object][] = [
    [{ kind: "request.reset" }, { code: "ECONNRESET", errno: -104, syscall: "read", message: "read ECONNRESET" }],
    [{ kind: "response.lost" }, { code: "ECONNRESET", errno: -104, syscall: "read" }],
    [
      { kind: "request.refused" },
      { code: "ECONNREFUSED", errno: -111, syscall: "connect", address: "api.pay.example", port: 443 },
    ],
  ];

  test.each(rows)("with Node's own error as its cause under $kind", async (fault, cause) => {
    const { sim, confirm, intentId } = await waitingIntent();
    sim.faults.add({ ...fault, times: 1 });
    const error = await failureOf(confirm());
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toBe("fetch failed");
    expect(error.cause).toMatchObject(cause);
    expect(sim.intents.get(intentId)?.status).toBe(
      fault.kind === "response.lost" ? "processing" : "requires_payment_method",
    );
    expect((await confirm()).status).toBe(fault.kind === "response.lost" ? 409 : 200);
  });

  test("which names the port of an address that has one", async () => {
    const { sim, confirm } = await waitingIntent({ baseUrl: "http://pay.example:8080/v1" });
    sim.faults.add({ kind: "request.refused" });
    expect((await failureOf(confirm())).cause).toMatchObject({ message: "connect ECONNREFUSED pay.example:8080" });
  });
});

test.each(ways)("a Retry-After reaches the client through $name", async ({ open }) => {
  const { sim, path, confirmation } = await waitingIntent();
  await using way = await open(sim);
  sim.faults.add({ kind: "request.status", status: 429, headers: { "Retry-After": "120" } });
  const response = await way.fetch(way.url + path, confirmation);
  expect([response.status, response.headers.get("retry-after")]).toEqual([429, "120"]);
  expect(await response.json()).toMatchObject({ success: false, code: "RATE_LIMITED" });
});

test.each([
  [400, "VALIDATION_ERROR"],
  [401, "UNAUTHORIZED"],
  [402, "INSUFFICIENT_FUNDS"],
  [403, "INTERNAL_ERROR"],
  [404, "NOT_FOUND"],
  [405, "METHOD_NOT_ALLOWED"],
  [409, "INVALID_STATE"],
  [413, "BODY_TOO_LARGE"],
  [415, "UNSUPPORTED_MEDIA_TYPE"],
  [429, "RATE_LIMITED"],
  [500, "INTERNAL_ERROR"],
  [503, "INTERNAL_ERROR"],
])("a status without a body says what the service itself says with it: %i %s", async (status, code) => {
  for (const kind of ["request.status", "response.status"] as const) {
    const { sim, confirm } = await waitingIntent();
    sim.faults.add({ kind, status });
    const response = await confirm();
    expect([response.status, await response.json()]).toMatchObject([status, { success: false, code, errors: [] }]);
  }
});

test("a body that is null is JSON's null", async () => {
  const { sim, confirm } = await waitingIntent();
  sim.faults.add({ kind: "request.status", status: 502, body: null });
  const response = await confirm();
  expect([response.headers.get("content-type"), await response.text()]).toEqual(["application/json", "null"]);
});

test.each(ways)("a connection that hangs ends when the simulator closes, through $name", async ({ name, open }) => {
  // MSW prints failures of the network.
  using _console = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { sim, path, confirmation } = await waitingIntent();
  await using way = await open(sim);
  const fault = sim.faults.add({ kind: "request.hang" });
  const outcome = failureOf(way.fetch(way.url + path, confirmation));
  await fault.struck();
  await sim.close();
  const codes = { "MSW handlers": "ERR_CENTAVO_SERVICE", "a socket": "ECONNRESET" } as Readonly<Record<string, string>>;
  expect(await outcome).toMatchObject({ message: "fetch failed", cause: { code: codes[name] ?? "WORLD_ENDED" } });
});

test("a call is matched by the id in its path, even if its body names another", async () => {
  const { sim, path, intentId, confirmation } = await waitingIntent();
  sim.faults.add({ kind: "request.status", status: 503, resource: intentId });
  const body = JSON.stringify({ intentId: "pi_other", paymentMethodId: "pm_card_approved" });
  expect((await sim.fetch(path, { ...confirmation, body })).status).toBe(503);
});

test("a call is matched by the merchant that its credentials name", async () => {
  const { sim, confirm } = await waitingIntent();
  const [mine, anothers] = [sim.credentials.merchantId, "mer_another"].map((merchant) =>
    sim.faults.add({ kind: "response.status", status: 504, merchant, times: 1 }),
  );
  expect((await confirm()).status).toBe(504);
  expect([mine?.hits, anothers?.hits]).toEqual([1, 0]);
});

test("a card given by its number is matched by the paymentMethod beside it, not by its test method", async () => {
  const { sim, path, confirmation } = await waitingIntent();
  const [card, approved] = ["card", "pm_card_approved"].map((paymentMethod) =>
    sim.faults.add({ kind: "response.status", status: 504, paymentMethod }),
  );
  const creditCardDetails = { cardNumber: "4343434343434345", expMonth: "12", expYear: "2030", cvc: "123" };
  const body = JSON.stringify({ paymentMethod: "card", creditCardDetails });
  expect((await sim.fetch(path, { ...confirmation, body })).status).toBe(504);
  expect([card?.hits, approved?.hits]).toEqual([1, 0]);
});

test("a call to an unknown address can be matched by its path", async () => {
  const { sim } = await waitingIntent();
  sim.faults.add({ kind: "request.status", status: 503, path: "/api/v2/*" });
  expect((await sim.fetch("/api/v2/thing")).status).toBe(503);
  expect((await sim.fetch("/api/v3/thing")).status).toBe(404);
  expect(String(sim.journal)).toContain('fires (request.status, 1st time) { method: "GET", path: "/api/v2/thing" }');
});

test("a truncated answer is whole again for a retry with the same key", async () => {
  const { sim, confirm } = await waitingIntent();
  sim.faults.add({ kind: "response.truncated", times: 1 });
  await expect((await confirm({ key: "k" })).json()).rejects.toThrow(SyntaxError);
  const again = await confirm({ key: "k" });
  expect([again.headers.get("idempotent-replayed"), await again.json()]).toMatchObject(["true", { success: true }]);
});

test("a truncation that leaves the whole answer neither fires nor counts as an occasion", async () => {
  const { sim, confirm } = await waitingIntent();
  const whole = await (await sim.fetch("/api/nowhere")).text();
  const [shorter, asLong, longer] = [whole.length - 1, whole.length, 100_000].map((keep) =>
    sim.faults.add({ kind: "response.truncated", path: "/api/nowhere", keep, times: 1 }),
  );
  expect(await (await sim.fetch("/api/nowhere")).text()).toBe(whole.slice(0, -1));
  expect([shorter?.hits, asLong?.hits, longer?.hits]).toEqual([1, 0, 0]);
  expect(sim.faults.unused().map(({ id, occasions }) => [id, occasions])).toEqual([
    [asLong?.id, 0],
    [longer?.id, 0],
  ]);

  sim.faults.clear();
  sim.faults.add({ kind: "response.content-type", body: "" });
  const ofNothing = sim.faults.add({ kind: "response.truncated" });
  expect(await (await confirm()).text()).toBe("");
  expect(ofNothing.hits).toBe(0);
});

test("several faults on one call: the first that answers for the service wins, and later ones have no occasion", async () => {
  const { sim, confirm } = await waitingIntent();
  sim.faults.add({ kind: "request.status", status: 503, times: 1 });
  sim.faults.add({ kind: "request.reset" });
  sim.faults.add({ kind: "response.lost" });
  expect((await confirm()).status).toBe(503);
  expect(sim.faults.list().map(({ occasions, hits }) => [occasions, hits])).toEqual([
    [1, 1],
    [0, 0],
    [0, 0],
  ]);
  sim.faults.clear();
  sim.faults.add({ kind: "response.content-type" });
  sim.faults.add({ kind: "response.truncated", keep: 10 });
  const response = await confirm();
  expect([response.headers.get("content-type"), await response.text()]).toEqual(["text/html", '{"success"']);
  expect(strikesIn(sim).map(({ kind }) => kind)).toEqual([
    "request.status",
    "response.content-type",
    "response.truncated",
  ]);
});

test("the token service can be down by itself, and Centavo's client reports the failure", async () => {
  const { sim } = await waitingIntent();
  sim.faults.add({ kind: "request.status", status: 503, route: "oauth.token", times: 1 });
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
  await expect(client.transactions.list()).rejects.toMatchObject({ status: 503 });
  expect(await client.transactions.list()).toMatchObject({ total: 1 });
});

describe("a customer at a page that fails", () => {
  test("sees that it answered an error, and nothing is paid", async () => {
    const { sim } = await waitingIntent();
    const { checkoutUrl } = await fixtures(sim).checkout();
    sim.faults.add({ kind: "request.status", status: 503, route: "checkout.page", times: 1 });
    sim.faults.add({ kind: "response.status", status: 504, route: "checkout.submit", times: 1 });
    const pay = () => sim.customer.pay(checkoutUrl, "pm_card_approved");
    expect(await pay()).toEqual({ status: "pending", problem: "The page answered 503" });
    expect(await pay()).toEqual({ status: "processing", problem: "The page answered 504" });
  });

  test("cannot reach it when the connection breaks, even if the payment is made", async () => {
    const { sim } = await waitingIntent();
    const { checkoutUrl } = await fixtures(sim).checkout();
    sim.faults.add({ kind: "response.lost", route: "checkout.submit", times: 1 });
    expect(await failureOf(sim.customer.pay(checkoutUrl, "pm_card_approved"))).toMatchObject({
      message: "fetch failed",
      cause: { code: "ECONNRESET" },
    });
    expect(sim.checkouts.last()?.status).toBe("processing");
  });
});
