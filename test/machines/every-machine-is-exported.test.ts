import * as machines from "centavo/machines";
import { expect, test } from "vitest";
import { paymentService } from "../../src/service/service.ts";

const lifecycles = paymentService.resources.flatMap((resource) =>
  resource.lifecycles.map(({ lifecycle }) => lifecycle),
);

test("centavo/machines exports the machine of every lifecycle, and nothing else", () => {
  const exported = new Set<unknown>(Object.values(machines));
  expect(lifecycles.filter(({ machine }) => !exported.has(machine)).map(({ name }) => name)).toEqual([]);
  expect(exported.size).toBe(lifecycles.length);
});
