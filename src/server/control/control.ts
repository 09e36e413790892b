import type { RawAnswer } from "../../kit/http/route.ts";
import { Problem } from "../../kit/http/problem.ts";
import type { FieldProblem } from "../../kit/http/problem.ts";
import { Router } from "../../kit/http/router.ts";
import { check, fieldsIn } from "../../kit/http/validation.ts";
import { CONTROL_PATH } from "../../client/control-api.ts";
import { listed, suggestion } from "../../kit/base/errors/known-names.ts";
import { ControlProblem, jsonAnswer } from "./problem.ts";
import type { ControlRoute } from "./route.ts";

/** Answers the calls of declared control routes. */
export class Control<Ground> {
  readonly #router: Router<{ readonly route: never; readonly control: ControlRoute<Ground> }>;

  readonly #read: (request: Request) => Promise<unknown>;

  /** @param read reads a body of JSON, and throws a `ControlProblem` for another */
  constructor(routes: readonly ControlRoute<Ground>[], read: (request: Request) => Promise<unknown>) {
    this.#read = read;
    this.#router = new Router(routes.map((route) => ({ route: route as never, control: route })));
  }

  /**
   * Answers a call.
   * @param path below the address of the routes
   * @throws {ControlProblem} for a call that no route takes, and what the simulator throws
   */
  async answer(ground: Ground, request: Request, path: string): Promise<RawAnswer | Response> {
    const { control, params } = this.#match(request.method, path);
    const { searchParams } = new URL(request.url);
    const call = {
      params: checked("the path", control.params, params),
      query: checked("the query", control.query, Object.fromEntries(searchParams)),
      body: control.body === undefined ? undefined : checked("the body", control.body, await this.#read(request)),
      headers: request.headers,
      signal: request.signal,
    };
    const data = await control.perform(ground, call as never);
    if (data instanceof Response) return data;
    if (control.data === undefined) return { status: 204, headers: {}, body: "" };
    return jsonAnswer(control.creates === true ? 201 : 200, data);
  }

  #match(method: string, path: string): { readonly control: ControlRoute<Ground>; readonly params: object } {
    try {
      const { mounted, params } = this.#router.match(method, path);
      return { control: mounted.control, params };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const isUnknown = error.kind === "not-found";
      throw new ControlProblem(
        isUnknown ? 404 : 405,
        isUnknown ? "NOT_FOUND" : "METHOD_NOT_ALLOWED",
        `${error.message}. ${CONTROL_PATH}/openapi.json lists what the control API takes.`,
        error.details.headers,
      );
    }
  }
}

function checked(where: string, schema: ControlRoute["body"], value: unknown): unknown {
  if (schema === undefined) return undefined;
  const { value: typed, errors, unknown } = check(schema, { value, repeated: [] });
  const problems = [...errors.map((problem) => inWords(where, problem)), ...unknown.map(notAmong(where, schema))];
  if (problems.length === 0) return typed;
  throw new ControlProblem(400, "INVALID_OPTION", problems.join(" "));
}

function inWords(where: string, { path, message }: FieldProblem): string {
  return path === "" ? `In ${where}, the value ${message}.` : `In ${where}, ${path} ${message}.`;
}

/** Says of an unknown field what is known. */
function notAmong(where: string, schema: NonNullable<ControlRoute["body"]>): (field: string) => string {
  const known = fieldsIn(schema);
  return (field) =>
    `In ${where}, ${JSON.stringify(field)} is unknown${suggestion(field, known) ?? ""}. Known are ${listed(known)}.`;
}

/** Answers with a text instead of JSON. */
export function textAnswer(type: string, text: string): Response {
  return new Response(text, { headers: { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" } });
}
