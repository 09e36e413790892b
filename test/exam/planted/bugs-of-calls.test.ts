import { bugsOfCalls } from "./bugs-of-calls.ts";
import { testThatExamFinds } from "./find-bugs.ts";

testThatExamFinds(bugsOfCalls);
