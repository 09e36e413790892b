import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { AssumptionId } from "../service/assumption-table.ts";
import { description } from "../service/openapi.ts";
import { paymentService } from "../service/service.ts";
import { toSettings } from "../simulator/simulator-options.ts";
import { describeService } from "./describe.ts";
import type { Described } from "./describe.ts";

/** The service as an OpenAPI 3.1 document. */
export type OpenApiDocument = Described<AssumptionId>;

/**
 * Describes the service as an OpenAPI 3.1 document, derived from the declarations that route and validate requests. Its
 * `x-centavo-assumptions` list every assumption, and each operation names those that it uses.
 *
 * @param addresses the base URLs of the API and of the token service; the defaults are those of `createSimulator`
 * @throws {CentavoError} `INVALID_OPTION` for an address that is not an http(s) URL
 *
 * @example
 * import { openApiDocument } from "centavo/openapi";
 * const { paths } = openApiDocument({ baseUrl: "https://api.pay.example" });
 * Object.keys(paths); // /api/payment-intent, /api/payment-intent/{intentId}/confirm, …
 */
export function openApiDocument(
  addresses: { readonly baseUrl?: string; readonly authUrl?: string } = {},
): OpenApiDocument {
  refuseUnknownOptions("openApiDocument", addresses, ["baseUrl", "authUrl"]);
  return describeService(paymentService, description, toSettings(addresses, "openApiDocument"));
}
