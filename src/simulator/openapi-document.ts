import { Assumptions } from "../kit/assumptions/assumptions.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import type { Described } from "../kit/declaration/openapi-document.ts";
import { assumptionTable } from "../service/assumption-table.ts";
import type { AssumptionId, AssumptionOverrides, ChangeableAssumptionId } from "../service/assumption-table.ts";
import { description } from "../service/openapi.ts";
import { descriptionUnder } from "../service/openapi-under-assumptions.ts";
import { paymentService } from "../service/service.ts";
import { toSettings } from "./simulator-options.ts";
import type { Settings } from "./simulator-options.ts";
import { describeService } from "../openapi/describe.ts";

/** The service as an OpenAPI 3.1 document. */
export type OpenApiDocument = Described<AssumptionId>;

/**
 * Describes the service as an OpenAPI 3.1 document, derived from the declarations that route and validate requests. Its
 * `x-centavo-assumptions` list every assumption, and each operation names those that it uses.
 *
 * @param options `baseUrl` and `authUrl`, whose defaults are those of `createSimulator`, and `assumptions` as `createSimulator` takes them.
 * The document follows these and the defaults of the others, as `sim.openapi()` does. Without `assumptions` it allows what any value allows,
 * such as both 200 and 201 for what is created.
 * @throws {CentavoError} `INVALID_OPTION` for an address that is not an http(s) URL, `INVALID_ASSUMPTION` for an assumption that cannot be set
 *
 * @example
 * import { openApiDocument } from "centavo/openapi";
 * const { paths } = openApiDocument({ assumptions: { "http.success-status": 201 } });
 * Object.keys(paths["/api/checkout"]?.["post"]?.responses ?? {}); // "201", and the errors
 */
export function openApiDocument(
  options: {
    readonly baseUrl?: string;
    readonly authUrl?: string;
    readonly assumptions?: AssumptionOverrides | string;
  } = {},
): OpenApiDocument {
  refuseUnknownOptions("openApiDocument", options, ["baseUrl", "authUrl", "assumptions"]);
  const settings = toSettings(options, "openApiDocument");
  return options.assumptions === undefined
    ? describeService(paymentService, description, settings)
    : documentOf(settings);
}

/** Describes the service of a simulator with these settings, under its assumptions. */
export function documentOf(settings: Settings): OpenApiDocument {
  const assumptions = new Assumptions(assumptionTable, settings.assumptions, settings.assumptionsFrom);
  const { routers } = paymentService.routingUnder(assumptions.overrides, settings.assumptionsFrom);
  return describeService(
    paymentService,
    descriptionUnder(assumptions),
    settings,
    (id) => assumptions.value(id as ChangeableAssumptionId),
    routers.routes.map(({ route }) => route),
  );
}
