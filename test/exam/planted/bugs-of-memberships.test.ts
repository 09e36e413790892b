import { bugsOfMemberships } from "./bugs-of-memberships.ts";
import { testThatExamFinds } from "./find-bugs.ts";

testThatExamFinds(bugsOfMemberships);
