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
    const short = shortened(line);
    const blank = time === undefined ? 0 : shortened(time).length;
    return repeated ? " ".repeat(blank) + short.slice(blank) : short;
  });
}

function shortened(line: string): string {
  const short = line
    .replaceAll(/(?<=:\d\d)\.000Z/g, "")
    .replaceAll(/\b([a-z_]+_[0-9A-Za-z]{6})[0-9A-Za-z]{14,}/g, "$1…")
    .replaceAll(/\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, "$1…");
  return short.length > LONGEST_LINE ? `${short.slice(0, LONGEST_LINE - 1)}…` : short;
}
