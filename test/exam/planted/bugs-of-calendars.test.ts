import { expect } from "vitest";
import { bugsOfCalendars } from "./bugs-of-calendars.ts";
import { testThatExamFinds } from "./find-bugs.ts";

testThatExamFinds(bugsOfCalendars, ([beginning]) => {
  expect(beginning).toMatch(/^It is \d+ [A-Z][a-z]+ \d{4}, \d\d:\d\d in (Manila|UTC)\.$/);
});
