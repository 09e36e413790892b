import { nextApp } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { expect, test as base } from "vitest";

const test = withSimulator(base);

test("route handlers of Next are called", async ({ sim, visit }) => {
  sim.connect("https://shop.example", nextApp("app", { load: (file) => import(file) }));
  const answer = await visit("POST", "/orders", { id: "order-1" });
  expect(answer.status).toBe(201);
  expect(answer.headers.get("set-cookie")).toBe("order=order-1; Path=/");
  expect(await answer.json()).toEqual({ id: "order-1", isNext: true });
});

test("route handlers of Next that Node itself cannot load are explained", async ({ sim, visit }) => {
  sim.connect("https://shop.example", nextApp("app"));
  await expect(visit("POST", "/orders", {})).rejects.toThrow(
    /orders\/route\.js cannot be loaded: .*next\/.*nextApp\(folder, \{ load: \(file\) => import\(file\) \}\)/s,
  );
});
