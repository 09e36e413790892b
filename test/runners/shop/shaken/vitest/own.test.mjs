import * as vitest from "vitest";
import { ownWorlds } from "../suites.cjs";

ownWorlds(vitest);
