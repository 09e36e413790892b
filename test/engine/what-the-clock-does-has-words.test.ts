import { expect, test } from "vitest";
import { paymentService } from "../../src/service/service.ts";

const lifecycles = paymentService.resources.flatMap((resource) => resource.lifecycles);

test.for(lifecycles.map(({ lifecycle }) => lifecycle))(
  "$name has words for inputs that it takes alone",
  (lifecycle) => {
    const { events } = lifecycle.machine;
    expect(Object.keys(lifecycle.whenDue).filter((input) => !events.includes(input))).toEqual([]);
  },
);
