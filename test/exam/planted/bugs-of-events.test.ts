import { isOfEvents, testThatExamFinds } from "./find-bugs.ts";

testThatExamFinds(isOfEvents);
