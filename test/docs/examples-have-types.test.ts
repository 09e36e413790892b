import { join } from "node:path";
import { expect, test } from "vitest";
import { compiled } from "./compiled.ts";
import { examples, root } from "./examples.ts";

test("the compiler finds nothing wrong in the examples of the documentation, in a reader's strict project", () => {
  expect(compiled(examples, join(root, ".cache/documented"))).toBe("");
});
