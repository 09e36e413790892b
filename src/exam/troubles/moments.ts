import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import { leftOut } from "../../troubles/in-shake.ts";
import type { Trouble } from "./trouble.ts";

/** Moments at which calendars are hard to get right. Without one of them, a story begins on 1 January 2026, at 08:00 in Manila. */
export const moments: readonly Trouble[] = [
  moment("31 January", "2026-01-31T10:00:00+08:00"),
  moment("leap day", "2028-02-29T10:00:00+08:00"),
  // The order is of this month, and its payment of the next.
  { ...moment("end of a month", "2026-04-30T23:59:59Z", "UTC"), needsOpenPayment: true },
  moment("end of a year", "2026-12-31T23:59:59+08:00"),
  // In UTC it is still February.
  moment("midnight in Manila", "2026-03-01T00:30:00+08:00"),
];

function moment(name: string, at: string, zone = "Asia/Manila"): Trouble {
  const begins = OriginalDate.parse(at);
  const place = zone === "UTC" ? "UTC" : "Manila";
  return {
    name,
    at: "story",
    inShake: leftOut("a test chooses its own moment"),
    begins,
    sentence: () => `It is ${dateIn(zone, begins)} in ${place}.`,
  };
}

/** Formats a moment, such as `31 January 2026, 23:30`. */
function dateIn(timeZone: string, milliseconds: number): string {
  const date = new OriginalDate(milliseconds);
  const day = date.toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone });
  const time = date.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", timeZone });
  return `${day}, ${time}`;
}
