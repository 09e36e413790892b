import { setImmediate } from "node:timers";
import type { Service } from "../../http/service.ts";
import { readyForWire } from "../answer.ts";

/**
 * Hands one request to a service.
 *
 * Waits for one real macrotask first, as a network does: a loop of awaited calls would otherwise never let a timer fire,
 * and would keep every response alive until it ends. `setImmediate` comes from its module, which fake timers leave alone.
 *
 * @throws what the service rejects with; to the client that is a network error, such as `ECONNRESET`.
 */
export async function exchange(service: Service, request: Request): Promise<Response> {
  await new Promise<void>((resolve) => setImmediate(resolve));
  request.signal.throwIfAborted();
  return readyForWire(await service.fetch(request), request.method);
}
