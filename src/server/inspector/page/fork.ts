import type { Outcome } from "./action.tsx";
import { control } from "./control.ts";
import { tab } from "../../../report/page/store.ts";
import { besidePath } from "./worlds.ts";
import type { ListedWorld } from "../../../report/live-run.ts";

/** Opens a copy of a world, and shows the two side by side. */
export async function forkOf({ path }: ListedWorld): Promise<Outcome> {
  const { data, problem } = await control<{ readonly name: string }>(path, "POST /fork", {});
  if (problem !== undefined) return { problem };
  besidePath.value = `/worlds/${encodeURIComponent(data.name)}`;
  tab.value = "compare";
  return { said: `The copy is the world ${data.name}.` };
}
