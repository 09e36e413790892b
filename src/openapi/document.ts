import type { AssumptionId } from "../service/assumption-table.ts";
import { paymentService } from "../service/service.ts";
import { toSettings } from "../simulator/options.ts";
import { describeService } from "./describe.ts";
import type { Described } from "./describe.ts";

/** The service as an OpenAPI 3.1 document. */
export type OpenApiDocument = Described<AssumptionId>;

/**
 * Describes the service as an OpenAPI 3.1 document, derived from the same declarations that route and validate requests. Everything
 * that the service document leaves open is listed under `x-centavo-assumptions`, and each operation names those that it rests on.
 *
 * @param addresses the base URLs of the API and of the token service, with the defaults of `createSimulator`
 * @throws {CentavoError} `INVALID_OPTION` for an address that is no http(s) URL
 *
 * @example
 * const { paths } = openApiDocument({ baseUrl: "https://api.pay.example" });
 * Object.keys(paths); // /api/payment-intent, /api/payment-intent/{intentId}/confirm, …
 */
export function openApiDocument(
  addresses: { readonly baseUrl?: string; readonly authUrl?: string } = {},
): OpenApiDocument {
  return describeService(paymentService, toSettings(addresses));
}
