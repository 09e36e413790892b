import { bugsOfPrograms } from "./bugs-of-programs.ts";
import { testThatExamFinds } from "./find-bugs.ts";

testThatExamFinds(bugsOfPrograms);
