import { runAtOnceWith } from "./at-once.mjs";

runAtOnceWith("two", "one");
