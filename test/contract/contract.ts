import { Ajv2020 } from "ajv/dist/2020.js";
import type { ErrorObject, ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import type { Part } from "../../src/kit/http/addresses.ts";
import type { AssumptionOverrides } from "../../src/service/assumption-table.ts";
import { openApiDocument } from "../../src/simulator/openapi-document.ts";
import type { OpenApiOperation, OpenApiResponse, Reference } from "../../src/kit/declaration/openapi-document.ts";

/** A response of the service, and the request that it answers. */
export interface Exchange {
  readonly method: string;
  /** The path below the base URL that was called. */
  readonly path: string;
  /** The part of the service that the address belongs to; each has its own paths. */
  readonly part: Part;
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

interface Endpoint {
  readonly pattern: RegExp;
  readonly part: Part;
  readonly operations: Readonly<Record<string, { readonly pointer: string; readonly operation: OpenApiOperation }>>;
}

/** The statuses that an address without an operation may answer. */
const STATUSES_OUTSIDE = new Set([404, 405, 500]);

/** Holds answers and events to the document of a world. */
export interface Contract {
  /** Returns how a response contradicts the document, or undefined. */
  contradictionOf(exchange: Exchange): string | undefined;
  /** Returns how a webhook's body contradicts the document, or undefined. */
  contradictionOfWebhook(type: string, body: string): string | undefined;
}

const contracts = new Map<string, Contract>();

/** Returns the contract of the worlds with these assumptions. Where a test sets none, the document allows what any value allows. */
export function contractUnder(assumptions: AssumptionOverrides = {}): Contract {
  const key = JSON.stringify(assumptions);
  const contract =
    contracts.get(key) ?? contractOf(key === "{}" ? openApiDocument() : openApiDocument({ assumptions }), assumptions);
  contracts.set(key, contract);
  return contract;
}

/** @param assumptions those of the document. It has no word for other paths that the service takes, nor for what it looks at first. */
function contractOf(
  document: ReturnType<typeof openApiDocument>,
  { "http.paths": rules, "http.order": order, "http.error-status": { UNAUTHORIZED = 401 } = {} }: AssumptionOverrides,
): Contract {
  const outside = order?.credential === "first" ? new Set([...STATUSES_OUTSIDE, UNAUTHORIZED]) : STATUSES_OUTSIDE;
  const ajv = new Ajv2020({
    allErrors: true,
    strict: true,
    strictRequired: false,
    strictTypes: false,
    validateSchema: false,
    code: { optimize: false },
  });
  formats.default(ajv);
  // The document as a whole is not a schema, so its own keywords are allowed, and the schemas in it can be strict.
  ajv.addVocabulary(Object.keys(document));
  ajv.addSchema(document, "openapi");
  const validators = new Map<string, ValidateFunction>();

  const endpoints: readonly Endpoint[] = Object.entries(document.paths)
    .toSorted(([left], [right]) => left.split("{").length - right.split("{").length)
    .map(([path, operations]) => ({
      pattern: new RegExp(
        `^${path.replaceAll(".", String.raw`\.`).replaceAll(/\{\w+\}/g, "[^/]+")}${rules?.slash === "ignored" ? "/?" : ""}$`,
        rules?.case === "ignored" ? "i" : "",
      ),
      part: Object.values(operations).some(({ servers }) => servers !== undefined) ? "auth" : "api",
      operations: Object.fromEntries(
        Object.entries(operations).map(([method, operation]) => [
          method.toUpperCase(),
          { operation, pointer: pointerTo("paths", path, method) },
        ]),
      ),
    }));

  function contradictionOf(exchange: Exchange): string | undefined {
    const { method, path, part, status, body } = exchange;
    if (method === "OPTIONS")
      return status === 204 && body === "" ? undefined : `OPTIONS ${path} answered ${status}, not an empty 204`;
    const endpoint = endpoints.find(
      (candidate) => candidate.pattern.test(path) && (part === "both" || candidate.part === part),
    );
    const found = endpoint?.operations[method === "HEAD" ? "GET" : method];
    const name = `${method} ${path}${found === undefined ? "" : ` (${found.operation.operationId})`} answered ${status}`;
    if (found === undefined) {
      if (!outside.has(status)) return `${name}, but the document has no such operation`;
      return method === "HEAD" ? undefined : problemOfJson(name, body, pointerTo("components", "schemas", "Error"));
    }
    const declared = found.operation.responses[status];
    if (declared === undefined) return `${name}, which the document does not declare (${found.pointer}/responses)`;
    const pointer = "$ref" in declared ? declared.$ref.slice(1) : `${found.pointer}/responses/${status}`;
    return problemOf(name, exchange, resolved(declared), pointer);
  }

  function contradictionOfWebhook(type: string, body: string): string | undefined {
    const [name = ""] = type.split(".", 1);
    if (document.webhooks[name] === undefined)
      return `the webhook ${type} was sent, but the document has none of that name`;
    return problemOfJson(
      `the webhook ${type}`,
      body,
      `${pointerTo("webhooks", name, "post", "requestBody", "content", "application/json")}/schema`,
    );
  }

  function problemOf(
    name: string,
    { method, headers, body }: Exchange,
    { headers: declared = {}, content }: OpenApiResponse,
    pointer: string,
  ): string | undefined {
    const missing = Object.entries(declared).find(
      ([header, { required }]) => required === true && !headers.has(header),
    );
    if (missing !== undefined) return `${name} without the header ${missing[0]} (${pointer}/headers)`;
    if (content === undefined)
      return body === "" ? undefined : `${name} with a body where the document has none (${pointer})`;
    const mediaType = headers.get("content-type")?.split(";", 1)[0] ?? "none";
    if (content[mediaType] === undefined)
      return `${name} with the content type ${mediaType}, which the document does not declare (${pointer}/content)`;
    return method === "HEAD" || mediaType !== "application/json"
      ? undefined
      : problemOfJson(name, body, `${pointer}/content/application~1json/schema`);
  }

  function problemOfJson(name: string, body: string, pointer: string): string | undefined {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return `${name} with a body that is not JSON: ${body}`;
    }
    const validate = validatorAt(pointer);
    return validate(value)
      ? undefined
      : `${name}, which contradicts ${pointer}:\n${(validate.errors ?? []).map(line).join("\n")}\n${body}`;
  }

  function validatorAt(pointer: string): ValidateFunction {
    const validator = validators.get(pointer) ?? ajv.compile({ $ref: `openapi#${encodeURI(pointer)}` });
    validators.set(pointer, validator);
    return validator;
  }

  function resolved(response: OpenApiResponse | Reference): OpenApiResponse {
    if (!("$ref" in response)) return response;
    return document.components.responses[response.$ref.split("/").at(-1) ?? ""] as OpenApiResponse;
  }

  return { contradictionOf, contradictionOfWebhook };
}

function line({ instancePath, message, schemaPath, params }: ErrorObject): string {
  return `  ${instancePath === "" ? "the body" : instancePath} ${message} ${JSON.stringify(params)} (${schemaPath})`;
}

function pointerTo(...names: readonly string[]): string {
  return names.map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
