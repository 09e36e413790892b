const { comesAfterIt, leavesAPoller } = require("../stray.cjs");

it("leaves a poller", leavesAPoller);
it("comes after it", comesAfterIt);
