const { comesAfterIt, leavesAPoller } = require("../stray.cjs");

test("leaves a poller", leavesAPoller);
test("comes after it", comesAfterIt);
