import { callAnsweredHere } from "./call-context.ts";
import { Call, type CallsOfInterception } from "./calls.ts";
import { RecentAnswers } from "./recent-answers.ts";
import { comesOutOfOlderQueue, momentOfQueueing } from "./requests.ts";
import { running } from "./running.ts";

/** The calls of undici that were answered in this turn of the event loop. */
export const recentAnswers = new RecentAnswers();

/**
 * Begins a call of `node:http` or undici, which belongs to the interceptions of the first line that fits:
 *
 * 1. undici's `fetch` follows a redirect by which a late call was answered: those of that call.
 * 2. The client goes on by itself after a late call, such as with another try: those of that call.
 * 3. The call comes out of a queue: those that ran at its address when it entered.
 * 4. Those that run at its address.
 * 5. All that run, because each would refuse the call.
 *
 * @param breakOff fails a call that has not reached its service
 * @returns undefined for a call that goes to the network
 */
export function beginCall(method: string, url: URL, breakOff?: (error: Error) => void): Call | undefined {
  return begun(method, url, ownersOfLate(method, url) ?? ownersAt(url, momentOfQueueing()), breakOff);
}

/** Begins a call of the global `fetch`, whose patch follows redirects in the same call, and which waits in no queue. */
export function beginFetch(method: string, url: URL): Call | undefined {
  return begun(method, url, ownersAt(url));
}

function begun(
  method: string,
  url: URL,
  owners: readonly CallsOfInterception[],
  breakOff?: (error: Error) => void,
): Call | undefined {
  if (owners.length === 0) return undefined;
  // Another tool may answer a call that is refused here.
  return new Call(method, url, owners, running.find(url).kind === "service" ? breakOff : undefined);
}

/** Returns the owners of a late call that this one goes on with. */
function ownersOfLate(method: string, url: URL): readonly CallsOfInterception[] | undefined {
  const redirected = recentAnswers.takeRedirect(url);
  if (redirected?.isLate === true) return redirected.owners;
  const before = callAnsweredHere();
  if (before?.isLate !== true) return undefined;
  // Before version 8, undici takes a call out of a pool's queue where the call before it got its answer.
  return before.isFollowedBy(method, url) || comesOutOfOlderQueue() ? before.owners : undefined;
}

/** @param queuedAt when the call entered the queue from which it comes (`asyncMoment`) */
function ownersAt(url: URL, queuedAt = Infinity): readonly CallsOfInterception[] {
  const answering = running.callsAt(url, queuedAt);
  if (answering.length > 0) return answering;
  const ended = running.endedSince(queuedAt, url);
  if (ended !== undefined) return [ended];
  return running.find(url).kind === "outside" ? [] : running.calls;
}
