import type { ListedWorld } from "../../../report/live-run.ts";
import { reasonAgainstChanges } from "./worlds.ts";

/** Says why nobody changes a world from the page. */
export function Reason({ world }: { readonly world: ListedWorld }) {
  const reason = reasonAgainstChanges(world);
  return reason === undefined ? null : <p class="reason">{reason}</p>;
}
