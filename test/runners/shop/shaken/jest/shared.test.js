require("../suites.cjs").sharedWorld(globalThis);
