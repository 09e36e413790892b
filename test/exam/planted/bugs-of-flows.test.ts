import { bugsOfFlows } from "./bugs-of-flows.ts";
import { testThatExamFinds } from "./find-bugs.ts";

testThatExamFinds(bugsOfFlows);
