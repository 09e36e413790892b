import { nextMacrotask } from "../../kit/base/runtime/real-time.ts";
import type { Call } from "./calls.ts";

/**
 * The calls whose answers have just come. undici's `fetch` follows a redirect in the same turn of the event loop, in the context of its
 * caller, so only the address tells what it follows.
 */
export class RecentAnswers {
  readonly #calls = new Set<Call>();

  note(call: Call): void {
    this.#calls.add(call);
    void this.#forgetLater(call);
  }

  /** Returns the call that was redirected to this address, once. */
  takeRedirect(url: URL): Call | undefined {
    const call = [...this.#calls].find((answered) => answered.redirectsTo(url));
    if (call !== undefined) this.#calls.delete(call);
    return call;
  }

  async #forgetLater(call: Call): Promise<void> {
    await nextMacrotask();
    this.#calls.delete(call);
  }
}
