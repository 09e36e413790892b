import type { TestInfo } from "@playwright/test";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { writeTextFile } from "../kit/base/runtime/files.ts";
import { reportOf } from "../report/causes/cause-report.ts";
import { htmlReportOf } from "../report/html-report.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { errorTold } from "./told-error.ts";

/**
 * Attaches what happened in a failed test to Playwright's report: the likely causes, the report and the timeline. It never rejects, because
 * the test's own error matters more.
 */
export async function attachRun(sim: Simulator, testInfo: TestInfo): Promise<void> {
  const { status, titlePath } = testInfo;
  const error = testInfo.error === undefined ? undefined : errorTold(testInfo.error);
  await attempt(testInfo, "centavo-causes.txt", async (name) =>
    // As a body, because the terminal shows its beginning.
    testInfo.attach(name, { body: reportOf(sim, error), contentType: "text/plain" }),
  );
  await attempt(testInfo, "centavo-report.html", async (name) => {
    const html = await htmlReportOf(sim, {
      title: titlePath.slice(1).join(" > "),
      outcome: "failed",
      ...(error !== undefined && { error }),
      // A test that timed out has no time left for a replay.
      ...(status === "timedOut" && { heard: false }),
    });
    await attachFile(testInfo, name, "text/html", html);
  });
  await attempt(testInfo, "centavo-timeline.txt", async (name) =>
    attachFile(testInfo, name, "text/plain", sim.journal.toString()),
  );
}

async function attempt(
  { annotations }: TestInfo,
  name: string,
  attach: (name: string) => Promise<void>,
): Promise<void> {
  try {
    await attach(name);
  } catch (error) {
    annotations.push({ type: "centavo", description: `There is no ${name}: ${messageOf(error)}` });
  }
}

async function attachFile(testInfo: TestInfo, name: string, contentType: string, text: string): Promise<void> {
  const path = testInfo.outputPath(name);
  writeTextFile(path, text);
  await testInfo.attach(name, { path, contentType });
}
