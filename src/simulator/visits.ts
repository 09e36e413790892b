import { shownAddress } from "../kit/base/redaction/address.ts";
import type { Engine } from "../kit/engine/engine.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { Connections } from "../kit/receivers/connections.ts";

/**
 * Sends a visitor's request to a connected app, and notes it in the journal.
 * @throws {CentavoError} `VISIT_FAILED`, or `NOT_CONNECTED`
 */
export async function visitApp(engine: Engine, connections: Connections, request: Request): Promise<Response> {
  const { method, url } = request;
  const { world } = engine;
  const note = (outcome: { readonly status: number } | { readonly failure: string }): void => {
    if (world === engine.world)
      engine.note("visit", {}, { method, url: engine.journal.redaction.text(url), ...outcome });
  };
  let answer;
  try {
    answer = await Promise.race([connections.visit(request), abortOf(request.signal)]);
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    note({ failure: `the app threw ${messageOf((error as CentavoError).cause)}` });
    throw error;
  }
  if (!("kind" in answer)) {
    note({ status: answer.status });
    return answer;
  }
  note({ failure: answer.message });
  if (answer.reason !== "not-connected") throw new CentavoError("VISIT_FAILED", answer.message);
  const { origin } = new URL(url);
  throw new CentavoError(
    "NOT_CONNECTED",
    `sim.visit(${JSON.stringify(shownAddress(url))}): no app is connected at ${origin}. Connect yours first: sim.connect("${origin}", app).`,
  );
}

/** Rejects when the signal aborts, because an app in the process may ignore the signal of its request. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    else signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
