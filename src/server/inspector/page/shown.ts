import { isFollowing, openRun, runs } from "../../../report/page/store.ts";

/** Forgets the run of another world, with what was selected and searched in it. */
export function showNothing(): void {
  openRun(0);
  isFollowing.value = true;
  runs.value = { ...runs.value, runs: [] };
}
