import { bugsOfEvents } from "./bugs-of-events.ts";
import { testThatExamFinds } from "./find-bugs.ts";

testThatExamFinds(bugsOfEvents);
