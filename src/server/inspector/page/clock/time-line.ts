/** Something that is due. */
interface Due {
  readonly at?: string | undefined;
  readonly what: string;
}

/** What is due at about the same moment: a mark on the line. */
export interface Mark {
  /** From the left, in percent of the line. */
  readonly place: number;
  readonly at: string;
  /** What is due, in words, soonest first. */
  readonly what: readonly string[];
}

const TICKS = [
  ["1 second", 1000],
  ["1 minute", 60_000],
  ["1 hour", 3_600_000],
  ["1 day", 86_400_000],
  ["1 week", 604_800_000],
  ["1 month", 2_592_000_000],
  ["1 year", 31_536_000_000],
] as const;

/** How near two marks may be, in percent of the line. */
const NEAR = 1.6;
/** The shortest time that the line shows, in milliseconds. */
const SHORTEST = 60_000;

/** Places what is due on a line from now on. Each unit of time has its part of it, because seconds and months stand on one line. */
export function timeLineOf(now: string, pending: readonly Due[]) {
  const start = Date.parse(now);
  const due = pending.flatMap(({ at, what }) => (at === undefined ? [] : [{ at, what, wait: waitOf(at, start) }]));
  const length = Math.max(SHORTEST, ...due.map(({ wait }) => wait));
  const placeOf = (wait: number): number => (100 * Math.log1p(wait / 1000)) / Math.log1p(length / 1000);
  const marks: { place: number; at: string; what: string[] }[] = [];
  for (const { at, what, wait } of due.toSorted((one, other) => one.wait - other.wait)) {
    const place = placeOf(wait);
    const before = marks.at(-1);
    if (before !== undefined && place - before.place < NEAR) before.what.push(what);
    else marks.push({ place, at, what: [what] });
  }
  const ticks = TICKS.filter(([, wait]) => wait <= length).map(([words, wait]) => ({ words, place: placeOf(wait) }));
  return { marks: marks as readonly Mark[], ticks };
}

/** How much of the line a label takes, in percent. */
const ROOM = 30;

/** Returns the labels for which there is room, and where each stands. A label leads away from the nearer end of the line. */
export function labelsOf(marks: readonly Mark[]) {
  let end = 0;
  return marks.flatMap((mark) => {
    const isEarly = mark.place <= 50;
    const begin = isEarly ? mark.place : mark.place - ROOM;
    if (begin < end) return [];
    end = begin + ROOM;
    const side = isEarly ? { left: `${mark.place}%` } : { right: `${100 - mark.place}%`, textAlign: "right" };
    return [{ mark, place: { ...side, maxWidth: `${ROOM}%` } }];
  });
}

function waitOf(at: string, start: number): number {
  return Math.max(0, Date.parse(at) - start);
}
