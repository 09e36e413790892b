import { test } from "vitest";
import { comesAfterIt, leavesAPoller } from "../stray.cjs";

test("leaves a poller", leavesAPoller);
test("comes after it", comesAfterIt);
