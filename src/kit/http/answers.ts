import * as z from "zod/mini";
import { messageOf } from "../base/errors/thrown-values.ts";
import type { Keeper } from "../engine/inputs.ts";
import { anyText, shapeOf, textIfAny } from "../engine/row-schema.ts";
import { headers } from "../faults/fields.ts";
import type { HttpError } from "./http-error.ts";
import { isBrokenOff } from "./network-errors.ts";
import type { HttpPolicies } from "./policies.ts";
import { Problem } from "./problem.ts";
import type { RequestHeaders } from "./request-headers.ts";
import type { AnyRoute, RawAnswer, Result } from "./route.ts";
import type { Send } from "./callable-service.ts";

/** An answer in a snapshot. Every answer has a body, so its status must allow one. */
export const storedAnswer = shapeOf<RawAnswer>()(() => ({
  status: z.int().check(
    z.minimum(200),
    z.maximum(599),
    z.refine((status) => ![204, 205, 304].includes(status), "no body may follow it"),
  ),
  headers,
  body: anyText,
  code: textIfAny,
}));

/**
 * Sends a request as `fetch` does.
 * @param onAnswer gets what came before it becomes a `Response`, with the code of an error
 * @throws TypeError for a call that was broken off, with the reason as its cause
 */
export async function fetchBy(
  send: Send,
  request: Request,
  onAnswer?: (answer: RawAnswer | Response) => void,
): Promise<Response> {
  try {
    const answer = await send(request);
    onAnswer?.(answer);
    return answer instanceof Response ? answer : responseOf(answer);
  } catch (error) {
    throw isBrokenOff(error) ? new TypeError("fetch failed", { cause: error }) : error;
  }
}

/** Returns an answer as a whole `Response`, which a socket does not need. */
export function responseOf(answer: RawAnswer): Response {
  return new Response(answer.body || null, answer);
}

/** Writes successes and errors as answers, in the service's own form. */
export class Answers {
  readonly #policies: HttpPolicies;

  constructor(policies: HttpPolicies) {
    this.#policies = policies;
  }

  of(result: Result<unknown>, route: AnyRoute): RawAnswer {
    if ("raw" in result) return result.raw;
    if ("declined" in result) return this.ofError(result.declined, route);
    const policies = this.#policies;
    const status = policies.successStatus?.(route) ?? (route.creates ? 201 : 200);
    return json(status, policies.success?.(result.data, route) ?? result.data);
  }

  /**
   * @param route the route that failed, which may add fields to its errors; undefined when the call has none
   * @param headers the headers of the call, by which a browser asks for a page
   */
  ofError(error: HttpError, route: AnyRoute | undefined, { accept }: RequestHeaders = {}): RawAnswer {
    this.#policies.onFailure?.();
    if (accept !== undefined && route?.errorPage !== undefined) return route.errorPage(error as never);
    const fields = route?.errorFields?.(error as never);
    const body = this.#policies.failure(error);
    const answer = json(this.#statusOf(error), fields === undefined ? body : { ...asObject(body), ...fields });
    return { ...answer, headers: { ...answer.headers, ...error.headers }, code: error.code };
  }

  /** Returns an answer once the inputs that led to it are kept. If they cannot be, the client learns why. */
  async onceKept(answer: RawAnswer, keeper: Keeper): Promise<RawAnswer> {
    try {
      await keeper.kept();
      return answer;
    } catch (error) {
      const problem = new Problem("internal", { status: 503, detail: messageOf(error) });
      return this.ofRefusal(this.#policies.errorOf(problem), {});
    }
  }

  /** Writes the answer to a request that never became a call. It is not journaled, and it uses no assumption. */
  ofRefusal(error: HttpError, further: Readonly<Record<string, string>>): RawAnswer {
    const answer = json(this.#statusOf(error), this.#policies.failure(error));
    return { ...answer, headers: { ...further, ...error.headers, ...answer.headers } };
  }

  #statusOf(error: HttpError): number {
    return this.#policies.statusOf?.(error) ?? error.status;
  }
}

/** Returns a body to which members can be added: nothing of a list or a text. */
function asObject(body: unknown): object {
  return typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
}

function json(status: number, body: unknown): RawAnswer {
  return { status, headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
