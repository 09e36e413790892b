import { intercept, type Network } from "centavo/node";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clients, late } from "./clients.ts";
import { echoService, type EchoService, type Seen } from "../../ways-in/echo-service.ts";

let service: EchoService;
let network: Network;

beforeEach(() => {
  service = echoService();
  network = intercept(service);
});

afterEach(() => network.close());

describe.each(clients)("$name, intercepted", ({ call, codeOf }) => {
  test("reaches the service once with method, path, query, headers and body", async () => {
    const answer = await call("https://api.pay.example/api/payment-intent?a=1&b=%20", {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer abc", "X-Mixed-Case": "kept" },
      body: '{"amount":10000,"description":"Kapé ☕"}',
    });
    expect(answer).toMatchObject({ status: 200, contentType: "application/json" });
    expect(service.seen).toHaveLength(1);
    expect(JSON.parse(answer.body) as Seen).toMatchObject({
      method: "POST",
      url: "https://api.pay.example/api/payment-intent?a=1&b=%20",
      headers: { "content-type": "application/json", authorization: "Bearer abc", "x-mixed-case": "kept" },
      body: '{"amount":10000,"description":"Kapé ☕"}',
    });
  });

  test("sends a stream whose first piece comes late", async () => {
    const answer = await call("https://api.pay.example/thing", { method: "POST", body: late("hello") });
    expect(JSON.parse(answer.body)).toMatchObject({ method: "POST", body: "hello" });
    expect(service.seen).toHaveLength(1);
  });

  test("is refused a stream to another host, though its first piece comes late", async () => {
    const sent = call("https://elsewhere.invalid/thing", { method: "POST", body: late("hello") });
    expect(codeOf(await sent.catch((error: unknown) => error))).toBe("UNEXPECTED_REQUEST");
  });

  test.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])("sends %s", async (method) => {
    const answer = await call("https://api.pay.example/thing", { method });
    expect(JSON.parse(answer.body)).toMatchObject({ method, body: "" });
  });

  test("gets no body for HEAD, nor with 204", async () => {
    expect(await call("https://api.pay.example/thing", { method: "HEAD" })).toMatchObject({ status: 200, body: "" });
    expect(await call("https://api.pay.example/status/204")).toMatchObject({ status: 204, body: "" });
    expect(service.seen.map(({ method }) => method)).toEqual(["HEAD", "GET"]);
  });

  test.each([400, 401, 402, 404, 409, 429, 500, 503])("gets status %i with its body", async (status) => {
    const answer = await call(`https://api.pay.example/status/${status}`);
    expect(answer).toMatchObject({ status, body: `status ${status}` });
  });

  test("gets every cookie on its own", async () => {
    const answer = await call("https://api.pay.example/cookies");
    expect(answer.cookies).toEqual(["first=1; Path=/; HttpOnly", "second=2"]);
  });

  test("gets a large body whole", async () => {
    const answer = await call("https://api.pay.example/large");
    expect(answer.body).toHaveLength(3_000_000);
  });

  test("makes a hundred calls at once, each answered with its own", async () => {
    const numbers = Array.from({ length: 100 }, (_, index) => String(index));
    const answers = await Promise.all(
      numbers.map((body) => call("https://api.pay.example/many", { method: "POST", body })),
    );
    expect(answers.map(({ body }) => (JSON.parse(body) as Seen).body)).toEqual(numbers);
    expect(service.seen).toHaveLength(100);
  });

  test.each(["ECONNRESET", "ECONNREFUSED"])("sees %s as a network error with that code", async (code) => {
    const path = code === "ECONNRESET" ? "reset" : "refuse";
    const error: unknown = await call(`https://api.pay.example/${path}`, { method: "POST", body: "x" }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(Error);
    expect(codeOf(error)).toBe(code);
    expect(service.seen).toHaveLength(1);
    expect((await call("https://api.pay.example/again")).status).toBe(200);
  });

  test("sees an error inside the service as a network error, never as an answer with a stack", async () => {
    await expect(call("https://api.pay.example/bug")).rejects.toThrow();
  });

  test("gives up at once when its signal is aborted beforehand", async () => {
    await expect(call("https://api.pay.example/hang", { signal: AbortSignal.abort() })).rejects.toThrow();
    expect(service.seen).toHaveLength(0);
  });

  test("gives up when its signal is aborted while it waits, and the service hears of it", async () => {
    const controller = new AbortController();
    const arrival = service.arrival();
    const outcome = expect(call("https://api.pay.example/hang", { signal: controller.signal })).rejects.toThrow();
    await arrival;
    const departure = service.departure();
    controller.abort();
    await outcome;
    await departure;
    expect((await call("https://api.pay.example/after")).status).toBe(200);
  });
});

const following = clients.filter(({ name }) => !name.startsWith("node:") && name !== "undici.request");

test.each(following)("$name follows a 303 with GET", async ({ call }) => {
  const answer = await call("https://api.pay.example/pay/see-other", { method: "POST", body: "card=1" });
  expect(JSON.parse(answer.body)).toMatchObject({
    method: "GET",
    path: "/pay/landed",
    query: "?from=redirect",
    body: "",
  });
  expect(service.seen.map(({ method }) => method)).toEqual(["POST", "GET"]);
});
