require("../suites.cjs").ownWorlds(globalThis);
