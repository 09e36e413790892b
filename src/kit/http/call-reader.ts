import type { Target } from "./addresses.ts";
import * as z from "zod/mini";
import { parseBody, parseParameters } from "./body.ts";
import type { Given } from "./body.ts";
import type { HttpPolicies } from "./policies.ts";
import { Problem } from "./problem.ts";
import type { FieldProblem } from "./problem.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { RequestHeaders } from "./request-headers.ts";
import type { RequestInput } from "./request-inputs.ts";
import type { AnyRoute, Call } from "./route.ts";
import { check, unknownFieldProblems } from "./validation.ts";

/** A request and its body. Everything that follows is synchronous. */
export interface Arrival extends Target {
  readonly method: string;
  readonly headers: RequestHeaders;
  /** The body, or the problem with it. */
  readonly body: string | Problem;
  /** Its place in the recording, if there is one. */
  readonly recorded: RequestInput | undefined;
  /** True if faults were planned when it arrived: they may have read its body, even if the service refuses it. */
  readonly underFaults: boolean;
}

/** A call of any route, checked. */
export type AnyCall = Call<unknown, unknown, unknown>;

/** The query of a route that declares none. */
const NO_PARAMETERS = z.object({});

/** Reads requests as calls: the caller, the parameters and the body. */
export class CallReader {
  readonly #policies: HttpPolicies;
  readonly #rateLimit: RateLimit;

  constructor(policies: HttpPolicies, rateLimit: RateLimit) {
    this.#policies = policies;
    this.#rateLimit = rateLimit;
  }

  /**
   * Checks the query and the body against their schemas and by the route's own check, and lists every offending field at once.
   * @param ignored collects the fields that the service does not know and ignores
   * @throws {Problem | HttpError} what is wrong with the call
   */
  read(
    arrival: Arrival,
    route: AnyRoute,
    commands: unknown,
    params: Readonly<Record<string, string>>,
    ignored: string[],
  ): AnyCall {
    const { headers, query, body, publicUrl, publicAuthUrl } = arrival;
    const order = this.#policies.order?.();
    if (order?.body === "first") refuseUnreadable(arrival, route);
    const caller = this.#policies.authenticate(route.credential, headers);
    const { merchantId = "" } = caller;
    if (merchantId !== "") this.#rateLimit.count(merchantId);
    const text = readable(body, route);
    if (order?.resource === "before-fields") {
      refuseUnreadable(arrival, route);
      route.find?.({ params, caller, merchantId } as never, commands as never);
    }
    const errors: FieldProblem[] = [];
    const call = {
      params: this.#check(route.params, () => ({ value: params, repeated: [] }), errors, ignored),
      query: this.#check(
        route.query ?? (query === "" ? undefined : NO_PARAMETERS),
        () => parseParameters(query),
        errors,
        ignored,
      ),
      body: this.#check(route.body, () => parsed(text, headers, route), errors, ignored),
      caller,
      merchantId,
      publicUrl,
      publicAuthUrl,
      authorization: headers.authorization,
      asksForPage: headers.accept !== undefined,
    };
    if (errors.length === 0) return call;
    const named = new Set(errors.map(({ path }) => path));
    const further = problemsWith(call, route, commands).filter(({ path }) => !named.has(path));
    throw this.invalid([...errors, ...further]);
  }

  /** Makes the problem with fields, which names all of them or the first alone. */
  invalid(errors: readonly FieldProblem[]): Problem {
    return new Problem("invalid", {
      errors: this.#policies.order?.()?.fields === "first" ? errors.slice(0, 1) : errors,
    });
  }

  #check(schema: z.ZodMiniType | undefined, given: () => Given, errors: FieldProblem[], ignored: string[]): unknown {
    if (schema === undefined) return undefined;
    const checked = check(schema, given());
    errors.push(...checked.errors);
    if (checked.unknown.length > 0) {
      if (this.#policies.unknownFields?.() === "refuse") errors.push(...unknownFieldProblems(checked.unknown));
      else ignored.push(...checked.unknown);
    }
    return checked.value;
  }
}

function parsed(text: string, headers: RequestHeaders, { accepts = ["json"] }: AnyRoute): Given {
  return parseBody(text, headers["content-type"], accepts);
}

/** Throws the problem with a body, if it cannot be read. */
function refuseUnreadable({ body, headers }: Arrival, route: AnyRoute): void {
  const text = readable(body, route);
  if (route.body !== undefined) parsed(text, headers, route);
}

/** Throws the problem with a body. A route without a body takes any coding, as it takes any content type. */
function readable(body: string | Problem, route: AnyRoute): string {
  if (!(body instanceof Problem)) return body;
  if (route.body === undefined && body.kind === "unsupported-media-type") return "";
  throw body;
}

/** Returns what the route's own check finds wrong with fields that passed their schemas. */
export function problemsWith(call: AnyCall, route: AnyRoute, commands: unknown): readonly FieldProblem[] {
  return route.check?.(call as never, commands as never) ?? [];
}
