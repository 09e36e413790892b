import { bugsOfStock } from "./bugs-of-stock.ts";
import { testThatExamFinds } from "./find-bugs.ts";

testThatExamFinds(bugsOfStock);
