import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { createSimulator } from "../../report/create-simulator.ts";
import { fetchOfWhoCalls } from "../../merchant/process/merchant-process.ts";
import type { Running } from "../../merchant/process/merchant-process.ts";

/**
 * Answers the calls of every client in the process.
 * @returns a function that stops it
 * @throws {CentavoError} `INTERCEPTION_REFUSED` when the interceptors cannot be loaded, and whatever `intercept` throws
 */
export async function interceptCalls(running: Running): Promise<() => void> {
  const { intercept } = await loadInterception();
  const { baseUrl, authUrl } = createSimulator();
  const network = intercept({ baseUrl, authUrl, fetch: fetchOfWhoCalls(running) });
  return () => network.close();
}

async function loadInterception(): Promise<typeof import("../../adapters/node.ts")> {
  try {
    return await import("../../adapters/node.ts");
  } catch (error) {
    throw new CentavoError(
      "INTERCEPTION_REFUSED",
      "exam: the option intercept cannot be used here, because the interceptors cannot be loaded. Give the merchant's code the fetch that open gets.",
      { cause: error },
    );
  }
}
