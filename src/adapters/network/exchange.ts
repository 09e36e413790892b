import { nextMacrotask } from "../../kit/base/runtime/real-time.ts";
import type { Service } from "../../kit/http/callable-service.ts";
import { readyForWire } from "../answer.ts";
import { inOrderOfCalls } from "../call-order.ts";

/**
 * Sends one request to a service.
 *
 * It first waits for one real macrotask, as a network does. Otherwise a loop of awaited calls would never let a timer fire, and would
 * keep every response in memory until it ends.
 *
 * @throws whatever the service rejects with, such as `ECONNRESET`; the client gets it as a network error
 */
export async function exchange(service: Required<Pick<Service, "beginCall">>, request: Request): Promise<Response> {
  const send = service.beginCall();
  const answer = await inOrderOfCalls(request, async () => {
    await nextMacrotask();
    request.signal.throwIfAborted();
    return send(request);
  });
  return readyForWire(answer, request.method);
}
