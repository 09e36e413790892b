import { expect, test } from "vitest";
import { Engine } from "../../src/kit/engine/engine.ts";

test("a command that throws when the history would be trimmed throws its own error", () => {
  const engine = new Engine({ seed: "1", now: 0, keep: 1 });
  engine.history.track("parcels", {
    isNeeded: () => false,
    forget: () => {
      throw new Error("nothing is forgotten here");
    },
  });
  expect(() =>
    engine.unit(() => {
      for (let number = 0; number < 100; number += 1) engine.history.finish("parcels", `p${number}`);
    }),
  ).toThrow("nothing is forgotten here");
  expect(() =>
    engine.unit(() => {
      throw new RangeError("no");
    }),
  ).toThrow(new RangeError("no"));
});
