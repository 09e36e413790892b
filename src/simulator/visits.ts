import { shownAddress } from "../kit/base/redaction/address.ts";
import type { KitParts } from "./acts.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { Connections } from "../kit/receivers/connections.ts";

/**
 * Sends a visitor's request to a connected app, and notes it in the journal. A visitor without cookies of its own is the customer.
 * @throws {CentavoError} `VISIT_FAILED`, or `NOT_CONNECTED`
 */
export async function visitApp(
  { engine, cookies }: Pick<KitParts, "engine" | "cookies">,
  connections: Connections,
  request: Request,
): Promise<Response> {
  const { method, url } = request;
  const { world } = engine;
  const note = (outcome: { readonly status: number } | { readonly failure: string }): void => {
    if (world === engine.world)
      engine.note("visit", {}, { method, url: engine.journal.redaction.text(shownAddress(url)), ...outcome });
  };
  const isCustomer = request.credentials !== "omit" && !request.headers.has("cookie");
  if (isCustomer) await cookies.addTo(request, "strict");
  let answer;
  try {
    answer = await Promise.race([connections.visit(request), abortOf(request.signal)]);
  } catch (error) {
    if (request.signal.aborted) throw request.signal.reason;
    note({ failure: `the app threw ${messageOf((error as CentavoError).cause)}` });
    throw error;
  }
  if (!("kind" in answer)) {
    if (isCustomer) await cookies.keep(answer.headers, url, world);
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
