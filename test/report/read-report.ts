import type { ReportedRun, ReportedRuns } from "../../src/report/reported-run.ts";

/** What a report gives its page. */
export function givenTo(html: string): ReportedRuns {
  const [, json = ""] = /<script type="application\/json" id="runs">(.*?)<\/script>/s.exec(html) ?? [];
  return JSON.parse(json) as ReportedRuns;
}

export function runsIn(html: string): readonly ReportedRun[] {
  return givenTo(html).runs;
}

export function runIn(html: string): ReportedRun {
  const [run] = runsIn(html);
  if (run === undefined) throw new Error("The report holds no run.");
  return run;
}
