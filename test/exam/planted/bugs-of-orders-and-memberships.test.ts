import { isOfEvents, testThatExamFinds } from "./find-bugs.ts";

testThatExamFinds((bug) => !isOfEvents(bug));
