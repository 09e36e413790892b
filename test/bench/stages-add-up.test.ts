import { describe, expect, test } from "vitest";
import { tablesOf } from "../../bench/figures.ts";
import { stageOf } from "../../bench/stage-rules.ts";

const src = "file:///somewhere/src";

describe("the stage of a stack", () => {
  test("is that of the innermost file that a stage names", () => {
    const stack = [
      { name: "hash", url: "node:internal/crypto" },
      { name: "sign", url: `${src}/webhooks/signature.ts` },
      { name: "run", url: `${src}/engine/timer-runner.ts` },
    ];
    expect(stageOf(stack)).toBe("webhooks: events, signatures, attempts");
    expect(stageOf(stack.slice(2))).toBe("timers and the clock");
  });

  test("is the machines' while XState or a declaration runs", () => {
    const machines = "the machines' steps (XState and its declarations)";
    const urls = ["file:///somewhere/node_modules/xstate/dist/x.js", `${src}/service/subscriptions/invoice-machine.ts`];
    expect(urls.map((url) => stageOf([{ name: "step", url }]))).toEqual([machines, machines]);
  });

  test("is the merchant's program while the example shop runs, also in what it asks of a library", () => {
    const urls = [
      "file:///somewhere/node_modules/express/lib/response.js",
      "file:///somewhere/examples/express-shop/shop.ts",
    ];
    expect(stageOf(urls.map((url) => ({ name: "send", url })))).toBe("the merchant's program");
  });

  test("is that of libraries in turns that only they run", () => {
    const turn = { name: "settle", url: "file:///somewhere/node_modules/axios/lib/axios.js" };
    expect(stageOf([{ name: "parse", url: "" }, turn])).toBe("libraries, in turns of their own");
  });

  test("is the garbage collector's whoever made the garbage, and nobody's while nothing ran", () => {
    const caller = { name: "run", url: `${src}/engine/table.ts` };
    expect(stageOf([{ name: "(garbage collector)", url: "" }, caller])).toBe("the garbage collector");
    expect(stageOf([{ name: "(idle)", url: "" }])).toBeUndefined();
  });
});

test("the stages of a flow add up to the whole", () => {
  const breakdown = {
    what: "A flow",
    unit: "µs",
    stages: [
      ["the answer", 60],
      ["Node itself", 20],
    ],
  } as const;
  expect(tablesOf([{ breakdowns: [breakdown] }]).breakdowns).toEqual([
    [
      "| A flow | time | share |",
      "| --- | ---: | ---: |",
      "| the answer | 60 µs | 75 % |",
      "| Node itself | 20 µs | 25 % |",
      "| the whole | 80 µs | 100 % |",
    ].join("\n"),
  ]);
});
