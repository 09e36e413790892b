import { bugsOfPromises } from "./bugs-of-promises.ts";
import { testThatExamFinds } from "./find-bugs.ts";

testThatExamFinds(bugsOfPromises);
