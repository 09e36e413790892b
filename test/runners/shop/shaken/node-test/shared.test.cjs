const runner = require("node:test");

require("../suites.cjs").sharedWorld({ ...runner, beforeAll: runner.before, afterAll: runner.after });
