import type { Redaction } from "../base/redaction/redaction.ts";
import type { Addresses } from "./addresses.ts";
import { parseJson, parseParameters } from "./body.ts";
import type { Arrival } from "./call-reader.ts";
import type { FaultyCall } from "./fault-injection.ts";
import type { IdempotencyKeys } from "./idempotency.ts";
import type { HttpPolicies } from "./policies.ts";
import type { RequestHeaders } from "./request-headers.ts";
import type { RequestJournal } from "./request-journal.ts";
import { filledPath } from "./route-path.ts";
import type { AnyRoute, RawAnswer } from "./route.ts";
import type { Routers } from "./router.ts";

/** What `FaultyCalls` needs. */
export interface FaultyCallsOptions {
  readonly routers: Routers;
  readonly idempotency: IdempotencyKeys;
  readonly journal: RequestJournal;
  readonly addresses: Addresses;
  readonly policies: HttpPolicies;
  readonly redaction: Redaction;
}

/** Describes calls to the faults that may fire on them. */
export class FaultyCalls {
  readonly #options: FaultyCallsOptions;

  constructor(options: FaultyCallsOptions) {
    this.#options = options;
  }

  /**
   * @param answer has the service answer the call
   * @returns the call, with the service's `own` answer once it has been asked
   */
  of(
    arrival: Arrival,
    request: Request,
    answer: () => RawAnswer,
  ): FaultyCall & { readonly own: RawAnswer | undefined } {
    const { idempotency, journal, addresses, redaction } = this.#options;
    const { method, path, headers, body } = arrival;
    const { route, params } = this.#known(arrival);
    const merchant = this.#merchantOf(route, headers);
    const fields = fieldsOf(body, headers["content-type"]);
    const key = headers["idempotency-key"];
    const id =
      key === undefined
        ? undefined
        : idempotency.idOf(key, scopeOf(merchant ?? "", method, pathOf(route, params) ?? path));
    let own: RawAnswer | undefined;
    return {
      get own() {
        return own;
      },
      occasion: {
        route: route?.name,
        method,
        path,
        resources: [...Object.values(params ?? {}), ...Object.values(fields)],
        merchant,
        fields,
        note: route === undefined ? { method, path: redaction.text(path) } : { route: route.name },
      },
      request,
      name: addresses.nameOf(request),
      answer: () => (own = answer()),
      reject: (rejection) => {
        journal.request(arrival, route);
        if (rejection !== undefined) journal.answer(route, rejection);
      },
      onWaiting: () => (id === undefined ? () => undefined : idempotency.hold(id)),
    };
  }

  /** Returns the route of a call, if it has one. A fault may also fire on a call without a route. */
  #known({ part, method, path }: Arrival): Partial<{ route: AnyRoute; params: Readonly<Record<string, string>> }> {
    try {
      const { mounted, params } = this.#options.routers.of(part).match(method, path);
      return { route: mounted.route, params };
    } catch {
      return {};
    }
  }

  #merchantOf(route: AnyRoute | undefined, headers: RequestHeaders): string | undefined {
    try {
      return route && this.#options.policies.authenticate(route.credential, headers).merchantId;
    } catch {
      return undefined;
    }
  }
}

/** Returns the scope within which an idempotency key identifies a call. */
export function scopeOf(merchantId: string, method: string, path: string): string {
  return `${merchantId} ${method} ${path}`;
}

/** Returns the path of a call as its route spells it: a service may take other spellings of it, too. */
function pathOf(route: AnyRoute | undefined, params: Readonly<Record<string, string>> = {}): string | undefined {
  return route && filledPath(route.path, params);
}

/** Returns the strings at the top level of a body, by which a fault may select a call. */
function fieldsOf(body: Arrival["body"], contentType: string | undefined): Readonly<Record<string, string>> {
  try {
    if (typeof body !== "string") return {};
    if (contentType?.startsWith("application/x-www-form-urlencoded") === true) return parseParameters(body).value;
    const parsed = parseJson(body);
    if (typeof parsed !== "object" || parsed === null) return {};
    return Object.fromEntries(Object.entries(parsed).filter(([, value]) => typeof value === "string"));
  } catch {
    return {};
  }
}
