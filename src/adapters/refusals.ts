import { shownAddress } from "../kit/base/redaction/address.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { warnProcess } from "../kit/base/runtime/process-warning.ts";
import { namesOf, narrowed } from "./candidates.ts";
import type { Candidate } from "./candidates.ts";
import { idsInAddress, textsInBody, textsInHeaders } from "./clues.ts";

/** Why a request is refused, and whether the option `allow` would let it pass. */
export interface Reason {
  readonly reason: string;
  readonly allowable?: boolean;
}

export function refusal(method: string, url: URL, reason: string): CentavoError {
  return new CentavoError("UNEXPECTED_REQUEST", `Centavo refused ${method} ${shownAddress(url.href)}: ${reason}.`);
}

/**
 * Makes the error for a request to nowhere, and journals it in the world that the request identifies, or else in the world of the running
 * test.
 */
export async function refuseRequest(
  request: Request,
  url: URL,
  candidates: readonly Candidate[],
  why: Reason,
): Promise<CentavoError> {
  const named = narrowed(candidates, [...textsInHeaders(request.headers), ...idsInAddress(url)]);
  const left = runningNow(named);
  return refuse(request.method, url, left.length === 1 ? left : narrowed(left, await textsInBody(request)), why);
}

/** The origins that the process has warned about. One warning each is enough for a test that polls. */
const warnedOf = new Set<string>();

/**
 * Makes the error for a request that one of these worlds made, and journals it there. If the world is unknown, all of them and the process
 * print a warning instead: no test fails for what another may have done, but the request is noticed even if its error is swallowed.
 */
export function refuse(method: string, url: URL, candidates: readonly Candidate[], why: Reason): CentavoError {
  const left = runningNow(candidates);
  const baseUrl =
    why.allowable === true
      ? left.map(({ service }) => service.baseUrlFor?.(url.pathname)).find((base) => base !== undefined)
      : undefined;
  const reason = inWords(url, left, why, baseUrl);
  const error = refusal(method, url, reason);
  const [{ service }, ...others] = left as readonly [Candidate, ...Candidate[]];
  if (others.length === 0)
    service.onRefused?.({ method, url: shownAddress(url.href), reason, ...(baseUrl === undefined ? {} : { baseUrl }) });
  else {
    for (const {
      service: { identity },
    } of left)
      identity?.warn({ message: error.message });
    if (!warnedOf.has(url.origin))
      warnProcess(
        `${error.message} No test fails for it, because any of them may have made the request. Further requests to ${url.origin} are not reported.`,
      );
    warnedOf.add(url.origin);
  }
  return error;
}

function inWords(
  url: URL,
  left: readonly Candidate[],
  { reason, allowable = false }: Reason,
  baseUrl?: string,
): string {
  if (!allowable) return reason;
  const options = `{ allow: ["${url.origin}"] }`;
  const test = left.find(({ service }) => service.test !== undefined)?.service.test;
  const allowing = test?.withOptions(options) ?? `intercept(sim, ${options})`;
  const wayOut =
    baseUrl === undefined
      ? `To let the request leave the test, allow it: ${allowing}`
      : `The service has this path, so the base URL of your app is probably wrong: set it to ${baseUrl}. Only if another service has this path too, let the request leave the test, with its credentials: ${allowing}`;
  const whose = left.length === 1 ? "" : `. Nothing tells which of these worlds made it: ${namesOf(left)}`;
  return `${reason}. ${wayOut}${whose}`;
}

/** Returns the candidates whose tests are running, or all if none is known to be running. */
export function runningNow(candidates: readonly Candidate[]): readonly Candidate[] {
  const running = candidates.filter(({ service }) => service.test?.isRunning() === true);
  return running.length === 0 ? candidates : running;
}
