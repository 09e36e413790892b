import type { Storage } from "../../merchant/process/storage.ts";
import type { RealWaits } from "../real-waits.ts";
import type { HeldWork } from "./held-work.ts";
import type { MerchantTime } from "./merchant-time.ts";

/** How many turns a call to the store takes until something else goes on, if the store does not tell what its calls wait for. */
const LONGEST_LOCK = 50;
/** How many turns it takes until time goes on. */
const LONGEST_WORK = 1000;

/** What the waits for a store depend on. */
export interface WaitsForStore {
  readonly storage: Storage;
  readonly waits: RealWaits;
  /** Called when the store took too long, with how long, in milliseconds of real time. */
  readonly onTooLong: (waited: number) => void;
}

/**
 * Waits while the store works, however long it takes on a busy machine, and time stands still. A call that waits for a lock is answered only
 * once something else goes on, so it is not waited for.
 */
export async function answersOfStore(
  { storage, waits, onTooLong }: WaitsForStore,
  held: HeldWork,
  time: MerchantTime,
  isBrokenOff: () => boolean,
): Promise<void> {
  const look = waits.watch();
  await storage.rests((turns) => {
    if (isBrokenOff()) return true;
    const waited = look();
    if (waited !== undefined) onTooLong(waited);
    if (!held.isEmpty) return turns > LONGEST_LOCK;
    return time.next < Infinity && turns > LONGEST_WORK;
  });
}
