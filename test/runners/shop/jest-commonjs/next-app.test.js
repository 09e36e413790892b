"use strict";

const { nextApp, simulated } = require("centavo/testing");

test(
  "route handlers of Next are called",
  simulated({ fakeDate: false }, async ({ sim, visit }) => {
    sim.connect("https://shop.example", nextApp("app"));
    const answer = await visit("POST", "/orders", { id: "order-1" });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("set-cookie")).toBe("order=order-1; Path=/");
    expect(await answer.json()).toEqual({ id: "order-1", isNext: true });
  }),
);
