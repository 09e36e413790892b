import { CentavoError } from "../../errors/centavo-error.ts";
import { createSimulator } from "../../simulator/simulator.ts";
import { doing } from "./merchant-process.ts";
import type { MerchantProcess } from "./merchant-process.ts";

/** The run of the merchant's program that goes on now. */
export interface Running {
  process?: MerchantProcess | undefined;
}

/**
 * Answers the calls of any client of the process. Async context tells which run of the program makes a call; where a client has lost it,
 * the one that runs now does.
 * @returns a function that ends it
 * @throws {CentavoError} `INTERCEPTION_REFUSED` where interception cannot be loaded, and what `intercept` throws
 */
export async function interceptCalls(running: Running): Promise<() => void> {
  const { intercept } = await loadInterception();
  const { baseUrl, authUrl } = createSimulator();
  const network = intercept({
    baseUrl,
    authUrl,
    fetch: async (input, init) => {
      const process = doing.value?.process ?? running.process;
      return process === undefined ? new Promise(() => undefined) : process.fetch(input, init);
    },
  });
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
