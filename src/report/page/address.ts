import { lastFinding, openFinding, openRun, runs, selectLastProblem } from "./store.ts";

/** Shows what the end of the address names: the run of a finding, such as `#finding-2`, or all findings. The reader can go back. */
export function followAddress(): void {
  follow();
  addEventListener("hashchange", follow);
}

function follow(): void {
  const [, number] = /^#finding-(\d+)$/.exec(location.hash) ?? [];
  const finding = Number(number) - 1;
  const index = (runs.value.shake ?? runs.value.variations)?.runOfFinding[finding];
  if (typeof index !== "number") {
    openFinding.value = undefined;
    return;
  }
  openRun(index);
  openFinding.value = finding;
  lastFinding.value = finding;
  if (matchMedia("(min-width: 961px)").matches) selectLastProblem();
}
