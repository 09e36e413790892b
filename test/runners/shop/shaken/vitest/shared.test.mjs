import * as vitest from "vitest";
import { sharedWorld } from "../suites.cjs";

sharedWorld(vitest);
