import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import type { AnyRoute } from "../../src/kit/http/route.ts";
import { routesIn } from "../../src/kit/declaration/define-service.ts";
import { paymentService } from "../../src/service/service.ts";
import { callWith, tokensOf } from "../merchant/requests.ts";

const declared: readonly AnyRoute[] = routesIn(paymentService);
const isVariable = (segment: string): boolean => segment.startsWith("{");

/** Whether there is a path that both take, and that the first takes because of a fixed segment. */
function wins(path: string, over: string): boolean {
  const segments = path.split("/");
  const others = over.split("/");
  const overlap = segments.every((segment, index) => {
    const other = others[index] ?? "";
    return segment === other || isVariable(segment) || isVariable(other);
  });
  const difference = segments.findIndex((segment, index) => isVariable(segment) !== isVariable(others[index] ?? ""));
  return segments.length === others.length && overlap && !isVariable(segments[difference] ?? "{");
}

test("the routes that rest on fixed segments winning are those that overlap others, no more and no less", () => {
  const resting = declared.filter(({ assumes }) => assumes.includes("http.routing"));
  const overlapping = declared.filter(({ path, service }) =>
    declared.some((other) => other.service === service && wins(path, other.path)),
  );
  expect(resting.map(({ name }) => name)).toEqual(overlapping.map(({ name }) => name));
  expect(overlapping).toHaveLength(6);
});

describe("a fixed segment is never an id", () => {
  test.for([
    ["GET", "/api/subscription/plans", 200, ""],
    ["DELETE", "/api/subscription/plans", 405, "METHOD_NOT_ALLOWED"],
    ["GET", "/api/subscription/initiate", 405, "METHOD_NOT_ALLOWED"],
    ["GET", "/api/subscription/process-payment", 405, "METHOD_NOT_ALLOWED"],
    ["PATCH", "/api/subscription/plans/plan", 405, "METHOD_NOT_ALLOWED"],
    ["PATCH", "/api/subscription/plans/payment-method", 405, "METHOD_NOT_ALLOWED"],
    ["GET", "/api/subscription/plans/plan", 404, "PLAN_NOT_FOUND"],
    ["GET", "/api/subscription/session/plan", 404, "SESSION_NOT_FOUND"],
    ["PATCH", "/api/subscription/session/plan", 405, "METHOD_NOT_ALLOWED"],
    ["GET", "/api/subscription/session", 404, "SUBSCRIPTION_NOT_FOUND"],
    ["GET", "/api/transactions/payment-sessions", 200, ""],
    ["GET", "/api/transactions/transactions", 404, "NOT_FOUND"],
  ] as const)("%s %s answers %d %s", async ([method, path, status, code]) => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const response = await sim.fetch(path, { method, headers: { authorization: `Bearer ${access}` } });
    const body = (await response.json()) as { code?: string };
    expect([response.status, body.code ?? ""]).toEqual([status, code]);
  });

  test("and a run that called such a route says so", async () => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const relies = (): boolean => sim.assumptions.used().some(({ id }) => id === "http.routing");
    await callWith(access, sim, "/api/transactions");
    expect(relies()).toBe(false);
    await callWith(access, sim, "/api/subscription/plans");
    expect(relies()).toBe(true);
  });
});

test.each([
  "/api/payment-intent/",
  "/api/payment-intent//status",
  "/api/payment-intent/pi_1/status/",
  "/api/subscription/plans/",
  "//api/payment-intent",
  "/api/payment-intent/pi_1/status/more",
  "/API/payment-intent/pi_1/status",
])("%s is none of the service's paths, however much it looks like one", async (path) => {
  const sim = createSimulator();
  const response = await sim.fetch(sim.baseUrl + path, { headers: { authorization: "Bearer none" } });
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "NOT_FOUND", message: `There is nothing at ${path}` });
});
