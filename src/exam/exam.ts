import type { ExamOptions } from "./options.ts";
import { readOptions } from "./read-options.ts";
import { Search } from "./search.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Searches for the shortest story in which a merchant goes wrong. It plays what customers do, through the merchant's own routes, learns where
 * something can fail, fails it there, and holds the merchant's books against the service's.
 *
 * It takes up to 10 seconds by default, so give a test that awaits it a longer timeout, such as 30 seconds.
 *
 * @param options the merchant's program, what its customers can do, and what it believes
 * @returns the verdict: `passed`, `failures` with the story of each, and what was tried. `String(verdict)` tells it in sentences
 * @throws {CentavoError} `INVALID_OPTION` naming the option, and what the merchant's own `open` throws
 *
 * @example
 * const verdict = await exam({
 *   open: ({ sim, fetch, store, url }) => createShop({ api: sim.baseUrl, ...sim.credentials, fetch, store, url }),
 *   acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
 *   books: ({ store }) => ({ orders: [...store.values()] }),
 * });
 * expect(verdict).toPass();
 */
export async function exam<Store = Map<string, unknown>>(options: ExamOptions<Store>): Promise<Verdict> {
  return new Search(readOptions(options)).verdict();
}
