require("../suites.cjs").sharedWorld({ ...globalThis, beforeAll: before, afterAll: after });
