import { bugsOfOrders } from "./bugs-of-orders.ts";
import { testThatExamFinds } from "./find-bugs.ts";

testThatExamFinds(bugsOfOrders);
