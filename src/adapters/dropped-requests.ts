import { shownAddress } from "../kit/base/redaction/address.ts";
import { crossOriginHeaders, preflight } from "../kit/http/cors.ts";
import type { RawAnswer } from "../kit/http/route.ts";
import type { Service } from "../kit/http/callable-service.ts";
import { type Candidate, narrowed } from "./candidates.ts";
import { idsInAddress, textsInHeaders } from "./clues.ts";
import { runningNow } from "./refusals.ts";

/** Stands for the hosts of the option `drop`. Each world that may have made a request notes it. */
export function droppingFor(services: readonly Service[]): Required<Pick<Service, "beginCall">> {
  return {
    beginCall: () => async (request) => {
      const url = new URL(request.url);
      const candidates: readonly Candidate[] = services.map((service) => ({ service }));
      const named = narrowed(candidates, [...textsInHeaders(request.headers), ...idsInAddress(url)]);
      for (const { service } of runningNow(named))
        service.onDropped?.({ method: request.method, url: shownAddress(url.href) });
      return emptyAnswer(request);
    },
  };
}

function emptyAnswer({ method, headers }: Request): RawAnswer {
  if (method === "OPTIONS") return preflight(headers, "GET, HEAD, POST, PUT, PATCH, DELETE", ["*"]);
  return { status: 204, headers: headers.has("origin") ? crossOriginHeaders : {}, body: "" };
}
