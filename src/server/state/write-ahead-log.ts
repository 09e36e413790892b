const HEADER = 32;
const FRAME_HEADER = 24;
const LITTLE_ENDIAN = 0x37_7f_06_82;
const BIG_ENDIAN = 0x37_7f_06_83;

type Sum = readonly [number, number];

/**
 * Whether a write-ahead log of SQLite has lost something before its end. SQLite takes the first wrong frame for the end, as it is after a
 * power loss, and forgets all that comes after it. A killed process leaves at most its last frame unfinished.
 * @see https://www.sqlite.org/fileformat.html#the_write_ahead_log
 */
export function isDamagedLog(log: Buffer): boolean {
  if (log.length < HEADER) return false;
  const magic = log.readUInt32BE(0);
  if (magic !== LITTLE_ENDIAN && magic !== BIG_ENDIAN) return true;
  const word = (at: number): number => (magic === LITTLE_ENDIAN ? log.readUInt32LE(at) : log.readUInt32BE(at));
  const add = ([first, second]: Sum, from: number, to: number): Sum => {
    let sum: Sum = [first, second];
    for (let at = from; at < to; at += 8) {
      const one = (sum[0] + word(at) + sum[1]) >>> 0;
      sum = [one, (sum[1] + word(at + 4) + one) >>> 0];
    }
    return sum;
  };
  const isAt = ([first, second]: Sum, at: number): boolean =>
    log.readUInt32BE(at) === first && log.readUInt32BE(at + 4) === second;

  let sum = add([0, 0], 0, 24);
  if (!isAt(sum, 24)) return true;
  const length = FRAME_HEADER + log.readUInt32BE(8);
  let isOver = false;
  for (let frame = HEADER; frame + length <= log.length; frame += length) {
    const isOfThisLog = log.compare(log, 16, 24, frame + 8, frame + 16) === 0;
    // What follows the end is from before the log began anew, or was never committed.
    if (isOver && isOfThisLog && log.readUInt32BE(frame + 4) !== 0) return true;
    sum = add(add(sum, frame, frame + 8), frame + FRAME_HEADER, frame + length);
    isOver ||= !isOfThisLog || !isAt(sum, frame + 16);
  }
  return false;
}
