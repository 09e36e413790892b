import type { RawAnswer } from "../kit/http/route.ts";
import { answerToThrown, ControlProblem, jsonAnswer } from "./control/problem.ts";

/**
 * Answers what Kubernetes and others ask to learn how a server is; undefined for any other request. A probe needs neither a token nor an
 * allowed host.
 */
export function answerToProbe({ url }: Request, isReady: boolean): RawAnswer | undefined {
  const { pathname } = new URL(url);
  if (pathname === "/_centavo/health" || (pathname === "/_centavo/ready" && isReady))
    return jsonAnswer(200, { status: "ok" });
  return pathname === "/_centavo/ready" ? jsonAnswer(503, { status: "not ready" }) : undefined;
}

/** Answers a request that comes while the server finishes those before. */
export function answerWhileStopping(request: Request): RawAnswer {
  const why =
    "This server is stopping: it answers what came before, and nothing more. Call it again once it has started.";
  return answerToProbe(request, false) ?? answerToThrown(new ControlProblem(503, "STOPPING", why));
}
