require("../suites.cjs").ownWorlds(require("node:test"));
