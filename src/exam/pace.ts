/** How fast a search was. It differs from run to run, so the verdict's JSON, text and digest leave it out. */
export interface Pace {
  /** Across all threads and machines, including stories for learning and shortening. */
  readonly storiesPerSecond: number;
  /** The real time of the search, in seconds, summed over threads and machines. */
  readonly seconds: number;
  /** The merchant's own share of that time, from 0 to 1. The rest went to the exam and the service. */
  readonly merchantShare: number;
}

/** Returns the pace of a single-threaded search. */
export function paceOf(stories: number, milliseconds: number, ofMerchant: number): Pace {
  const isMeasured = milliseconds > 0;
  return {
    storiesPerSecond: isMeasured ? (stories * 1000) / milliseconds : 0,
    seconds: milliseconds / 1000,
    merchantShare: isMeasured ? Math.min(1, ofMerchant / milliseconds) : 0,
  };
}

/** Merges the paces of searches that ran at the same time. */
export function mergePaces(paces: readonly Pace[]): Pace {
  const seconds = sumOf(paces.map((pace) => pace.seconds));
  return {
    storiesPerSecond: sumOf(paces.map((pace) => pace.storiesPerSecond)),
    seconds,
    merchantShare: seconds === 0 ? 0 : sumOf(paces.map((pace) => pace.seconds * pace.merchantShare)) / seconds,
  };
}

export function paceInWords({ storiesPerSecond, merchantShare }: Pace): string {
  const percent = Math.round(merchantShare * 100);
  return `${storiesPerSecond.toFixed(storiesPerSecond < 10 ? 1 : 0)} stories a second: ${percent} % of the time was the merchant's program, ${100 - percent} % the exam and the service.`;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0);
}
