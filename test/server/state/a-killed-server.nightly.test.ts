import { test } from "vitest";
import { killed } from "./killing.ts";

test("a server that is killed 300 times under load comes back each time with all that left it, and no half of anything", () =>
  killed(300));
