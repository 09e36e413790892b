import type { RawAnswer } from "../../kit/http/route.ts";
import { Problem } from "../../kit/http/problem.ts";
import { Router } from "../../kit/http/router.ts";
import { check, unknownFieldProblems } from "../../kit/http/validation.ts";
import type { FieldProblem } from "../../kit/http/problem.ts";
import { ControlProblem, jsonAnswer } from "./problem.ts";
import type { ControlGround, ControlRoute } from "./route.ts";
import { controlRoutes } from "./routes.ts";
import { readJson } from "./body.ts";

/** Where the control API of a world stands below the world's address. */
export const CONTROL_PATH = "/_centavo/api/v1";

const router = new Router(controlRoutes.map((route) => ({ route: route as never, control: route })));

/**
 * Answers a call of the control API.
 * @param path below `CONTROL_PATH`
 * @throws {ControlProblem} for a call that it does not take, and what the simulator throws
 */
export async function answerControl(
  ground: ControlGround,
  request: Request,
  path: string,
): Promise<RawAnswer | Response> {
  const { control, params } = match(request.method, path);
  const { searchParams } = new URL(request.url);
  const call = {
    params: checked("the path", control.params, params),
    query: checked("the query", control.query, Object.fromEntries(searchParams)),
    body: control.body === undefined ? undefined : checked("the body", control.body, await readJson(request)),
    signal: request.signal,
  };
  const data = await control.perform(ground, call as never);
  await ground.sim.internals.parts.engine.inputs?.keeper?.kept();
  if (data instanceof Response) return data;
  return control.data === undefined ? { status: 204, headers: {}, body: "" } : jsonAnswer(200, data);
}

function match(method: string, path: string): { readonly control: ControlRoute; readonly params: object } {
  try {
    const { mounted, params } = router.match(method, path);
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

function checked(where: string, schema: ControlRoute["body"], value: unknown): unknown {
  if (schema === undefined) return undefined;
  const { value: typed, errors, unknown } = check(schema, { value, repeated: [] });
  const problems = [...errors, ...unknownFieldProblems(unknown)];
  if (problems.length === 0) return typed;
  throw new ControlProblem(400, "INVALID_OPTION", problems.map((problem) => inWords(where, problem)).join(" "));
}

function inWords(where: string, { path, message }: FieldProblem): string {
  return path === "" ? `In ${where}, the value ${message}.` : `In ${where}, ${path} ${message}.`;
}
