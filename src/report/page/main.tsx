import { render } from "preact";
import type { ReportedRuns } from "../reported-run.ts";
import { App } from "./app.tsx";
import { followAddress } from "./address.ts";
import { listenToKeys } from "./keys.ts";
import { isPrinted, openRun, run, runs, selectLastProblem, tabs } from "./store.ts";

const data = document.querySelector("#runs")?.textContent;
const root = document.querySelector("#report");
if (typeof data === "string" && root !== null) {
  runs.value = JSON.parse(data) as ReportedRuns;
  const failed = runs.value.runs.findIndex(({ outcome }) => outcome === "failed");
  openRun(Math.max(0, failed));
  // A narrow page has no room for details beside the rows. In an exam, the last problem of the service need not be what broke the law.
  if (run.value.exam === undefined && matchMedia("(min-width: 961px)").matches) selectLastProblem();
  if ((runs.value.shake ?? runs.value.variations) !== undefined) followAddress();
  const paper = matchMedia("print");
  isPrinted.value = paper.matches;
  paper.addEventListener("change", ({ matches }) => (isPrinted.value = matches));
  listenToKeys(tabs);
  root.textContent = "";
  render(<App />, root);
}
