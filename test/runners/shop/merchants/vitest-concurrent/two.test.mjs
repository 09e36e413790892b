import { runAtOnceWith } from "./at-once.mjs";

runAtOnceWith("one", "two");
