import type { MerchantProcess } from "../../merchant/process/merchant-process.ts";
import type { WritePoint } from "../../merchant/process/storage.ts";
import type { StoryRun } from "./story-run.ts";

/** Returns where a story meets the calls of one run of the program to its store: it may crash at each write, and answers take turns. */
export function storePoint(run: StoryRun, process: MerchantProcess): WritePoint {
  return {
    called: () => {
      const place = run.held.nextPlace();
      const { storeDelay } = run.options;
      return async () => {
        if (storeDelay > 0) await new Promise<void>((resolve) => run.time.after(storeDelay, resolve));
        await run.held.turn(place);
      };
    },
    write: () => {
      const struck = process.isAlive ? run.troubles.at(run.seen.passes("write", "")) : [];
      for (const each of struck) run.troubles.happens(each);
      if (process.isAlive) run.crashIf(struck, "before", process);
      return () => {
        if (process.isAlive) run.crashIf(struck, "after", process);
      };
    },
  };
}
