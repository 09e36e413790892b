import type { DeclaredDescription, OpenApiHeader } from "../kit/declaration/description.ts";
import { companionHeaders, SIGNATURE_HEADERS } from "../kit/webhooks/signatures/signature.ts";
import type { Assumptions, AssumptionValue } from "./assumption-table.ts";
import { bounds } from "./bounds.ts";
import type { BoundName, FieldBounds } from "./bounds.ts";
import { HTTPS_URL, ofLeastAmount, ofReturnUrl, WEB_URL } from "./fields.ts";
import { errorTable } from "./error-table.ts";
import type { ErrorCode } from "./error-table.ts";
import { successStatusOf } from "./http.ts";
import { description, error, securitySchemesAt } from "./openapi.ts";
import { authPathsUnder } from "./wire/paths.ts";
import { createdIntent } from "./schemas/payment-intents.ts";
import type { PaymentWords } from "./route.ts";
import { errorBodyUnder, eventsUnder, replacing, successUnder, tokenUnder } from "./wire/openapi.ts";

/** The parts of the OpenAPI document of a world with these assumptions, where `description` allows every value. */
export function descriptionUnder(assumptions: Assumptions): DeclaredDescription<PaymentWords> {
  const isLimited = assumptions.value("http.rate-limit") !== "none";
  const { errors } = description;
  const codes = assumptions.value("http.error-codes");
  const told = (known: ErrorCode): { readonly code: string; readonly message: string } => {
    const { code = known, message = errorTable[known].message } = codes[known] ?? {};
    return { code, message };
  };
  const all = (Object.keys(errorTable) as ErrorCode[]).map((code) => told(code).code);
  const success = successUnder(assumptions);
  const errorBody = errorBodyUnder(assumptions);
  const statuses = Object.fromEntries(
    Object.entries(assumptions.value("http.error-status")).map(([code, status]) => [code, [status]] as const),
  );
  return {
    ...description,
    securitySchemes: securitySchemesAt(authPathsUnder(assumptions.overrides)),
    envelope: success,
    successStatus: (route) => successStatusOf(assumptions.value("http.success-status"), route),
    takesKeys: assumptions.value("http.idempotency-key") !== "off",
    closedRequests: assumptions.value("http.unknown-fields") === "refuse",
    limitedCredentials: isLimited ? (description.limitedCredentials ?? []) : [],
    plain: (schema, { assumes }) =>
      assumes.includes("auth.token-response") ? tokenUnder(assumptions, schema) : schema,
    errors: {
      ...errors,
      shared: (errors.shared ?? []).filter((code) => code !== "RATE_LIMITED" || isLimited),
      statuses: { ...statuses, INVALID_REFRESH_TOKEN: [assumptions.value("auth.token-errors")] },
      told,
      ...(errorBody === undefined
        ? {}
        : {
            body: (of, route) =>
              errorBody(
                of.map((code) => told(code).code),
                route?.errorFields !== undefined,
              ),
          }),
    },
    narrowed: [
      ...boundsUnder(assumptions.value("http.bounds")),
      ...eventsUnder(assumptions),
      ...(errorBody === undefined ? [] : [replacing(error, errorBody(all, false))]),
      [ofLeastAmount, (schema) => (schema["minimum"] = assumptions.value("http.minimum-amount"))],
      [
        ofReturnUrl,
        (schema) =>
          (schema["pattern"] = patternOf(assumptions.value("return.schemes"), assumptions.value("http.texts").url)),
      ],
      [
        createdIntent.shape.status,
        (schema) => {
          delete schema["anyOf"];
          Object.assign(schema, { type: "string", const: assumptions.value("intent.pending") });
        },
      ],
    ],
    ...(description.webhooks === undefined
      ? {}
      : { webhooks: { ...description.webhooks, headers: headersOf(assumptions.value("webhook.signature")) } }),
  };
}

/** Narrows the fields of answers; those of requests have the bounds in force in their schemas. */
function boundsUnder({ amount, metadataKeys }: FieldBounds): DeclaredDescription<PaymentWords>["narrowed"] & object {
  const most = { amount: ["maximum", amount], metadataKeys: ["maxProperties", metadataKeys] } as const;
  return (Object.keys(most) as (BoundName & keyof typeof most)[]).map((name) => {
    const [keyword, value = bounds[name].usual] = most[name];
    return [bounds[name].checks[0] as never, (schema) => (schema[keyword] = value)];
  });
}

function patternOf(schemes: readonly string[], web: "http" | "https"): string {
  const own = schemes.map((scheme) => scheme.replaceAll(/[.+]/g, String.raw`\$&`));
  const ofWeb = web === "https" ? HTTPS_URL.source : WEB_URL.source;
  return own.length === 0 ? ofWeb : String.raw`${ofWeb}|^(?:${own.join("|")}):\S*$`;
}

function headersOf(signature: AssumptionValue<"webhook.signature">): Readonly<Record<string, OpenApiHeader>> {
  const { scheme, header } = typeof signature === "string" ? { scheme: signature, header: undefined } : signature;
  const name = header ?? SIGNATURE_HEADERS[scheme];
  const required = (meaning: string, pattern: string): OpenApiHeader => ({
    description: meaning,
    required: true,
    schema: { type: "string", pattern },
  });
  if (scheme === "paymongo")
    return {
      [name]: required("The stamp in Unix seconds, and the signature", String.raw`^t=\d+,te=[0-9a-f]{64},li=$`),
    };
  if (scheme === "stripe")
    return { [name]: required("The stamp in Unix seconds, and the signature", String.raw`^t=\d+,v1=[0-9a-f]{64}$`) };
  const { id, timestamp } = companionHeaders(name);
  return {
    [id]: required("The event's id", "^evt_"),
    [timestamp]: required("The stamp in Unix seconds", String.raw`^\d+$`),
    [name]: required("The signature", "^v1,[A-Za-z0-9+/]{43}=$"),
  };
}
