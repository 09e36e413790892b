/** How fast a search was. It differs from run to run, so the verdict's JSON, text and digest leave it out. */
export interface Pace {
  /** Of all threads and machines together, learning and shortening included. */
  readonly storiesPerSecond: number;
  /** The real time of the search, in seconds, added up over threads and machines. */
  readonly seconds: number;
  /** Which part of that time the merchant's own program took, from 0 to 1. The rest is the exam's and the service's. */
  readonly merchantShare: number;
}

/** Returns the pace of a search in one thread. */
export function paceOf(stories: number, milliseconds: number, ofMerchant: number): Pace {
  const isMeasured = milliseconds > 0;
  return {
    storiesPerSecond: isMeasured ? (stories * 1000) / milliseconds : 0,
    seconds: milliseconds / 1000,
    merchantShare: isMeasured ? Math.min(1, ofMerchant / milliseconds) : 0,
  };
}

/** Joins the paces of searches that ran at the same time. */
export function mergePaces(paces: readonly Pace[]): Pace {
  const seconds = sumOf(paces.map((pace) => pace.seconds));
  return {
    storiesPerSecond: sumOf(paces.map((pace) => pace.storiesPerSecond)),
    seconds,
    merchantShare: seconds === 0 ? 0 : sumOf(paces.map((pace) => pace.seconds * pace.merchantShare)) / seconds,
  };
}

/** Says how fast a search was. */
export function paceInWords({ storiesPerSecond, merchantShare }: Pace): string {
  const percent = Math.round(merchantShare * 100);
  return `${storiesPerSecond.toFixed(storiesPerSecond < 10 ? 1 : 0)} stories a second: ${percent} % of the time was the merchant's program, ${100 - percent} % the exam and the service.`;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
