const LONGEST_LINE = 160;
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}Z/;

/** Makes the lines of a timeline easier to read: shows a time only when it changes, and shortens long ids and lines. */
export function forReading(lines: readonly string[]): string[] {
  let lastTime: string | undefined;
  return lines.map((line) => {
    const time = TIME.exec(line)?.[0];
    const repeated = time !== undefined && time === lastTime;
    // A heading has no time, so the line after it shows the time again and each step can be read alone.
    lastTime = time;
    const short = cut(withShortIds(line));
    const blank = time === undefined ? 0 : withShortIds(time).length;
    return repeated ? " ".repeat(blank) + short.slice(blank) : short;
  });
}

/** Cuts a line to a reasonable length. */
export function cut(line: string, longest = LONGEST_LINE): string {
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** Shortens the ids in a line, and leaves milliseconds out that are zero. */
export function withShortIds(line: string): string {
  return line
    .replaceAll(/(?<=:\d\d)\.000Z/g, "")
    .replaceAll(/\b([a-z_]+_[0-9A-Za-z]{6})[0-9A-Za-z]{14,}/g, "$1…")
    .replaceAll(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "$1…");
}
