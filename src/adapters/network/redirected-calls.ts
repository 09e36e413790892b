import { nextMacrotask } from "../../kit/base/runtime/real-time.ts";
import type { Call } from "./calls.ts";

/**
 * The redirects that clients are told to follow now. undici's `fetch` follows one in the same turn of the event loop, in the context of its
 * caller, so only the address tells what it follows.
 */
export class Redirects {
  readonly #calls = new Map<string, Call>();

  /** Notes the answer to a call. @param headers names and values in turn */
  note(call: Call, headers: unknown): void {
    const location = call.isRedirected && Array.isArray(headers) ? locationIn(headers) : undefined;
    const url = location === undefined ? null : URL.parse(location, call.url);
    if (url === null) return;
    const href = withoutHash(url);
    this.#calls.set(href, call);
    void this.#forgetLater(href, call);
  }

  /** Returns the call that was redirected to this address, once. */
  take(url: URL): Call | undefined {
    const href = withoutHash(url);
    const call = this.#calls.get(href);
    this.#calls.delete(href);
    return call;
  }

  async #forgetLater(href: string, call: Call): Promise<void> {
    await nextMacrotask();
    if (this.#calls.get(href) === call) this.#calls.delete(href);
  }
}

function locationIn(headers: readonly unknown[]): string | undefined {
  const at = headers.findIndex((text, index) => index % 2 === 0 && String(text).toLowerCase() === "location");
  return at === -1 ? undefined : String(headers[at + 1]);
}

function withoutHash({ href }: URL): string {
  return href.replace(/#.*$/s, "");
}
