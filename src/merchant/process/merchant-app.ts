import { connectionReset } from "../../kit/http/network-errors.ts";
import { readMerchantApp } from "../../kit/receivers/merchant-app.ts";
import type { FetchHandler, MerchantApp } from "../../kit/receivers/merchant-app.ts";
import { inProcess } from "../../kit/base/runtime/listener-in-process.ts";

/**
 * Returns a function that calls an app in the process.
 * @throws {CentavoError} `INVALID_OPTION` for anything but an app
 */
export async function handlerOf(origin: string, app: MerchantApp): Promise<FetchHandler> {
  const handling = readMerchantApp(origin, app);
  if (handling.kind === "fetch") return handling.handler;
  const call = inProcess(await handling.prepare());
  return async (request) => {
    const response = await call(request);
    if (response === undefined) throw connectionReset();
    return response;
  };
}
