import * as z from "zod/mini";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { parseJson, readBody } from "../kit/http/body.ts";
import { Problem } from "../kit/http/problem.ts";
import { check, unknownFieldProblems } from "../kit/http/validation.ts";
import type { RawAnswer } from "../kit/http/route.ts";
import { CONTROL_PATH } from "./control/control.ts";
import { ControlProblem, jsonAnswer } from "./control/problem.ts";
import type { HostedWorld, HostedWorlds, WorldOptions } from "./hosted-worlds.ts";

const NAME = /^[a-z\d_][\w.-]{0,63}$/i;

/** Answers the calls that open, list and end worlds. */
export async function answerWorlds(worlds: HostedWorlds, request: Request, path: string): Promise<RawAnswer> {
  const { method } = request;
  if (path === "") {
    if (method === "GET" || method === "HEAD") return jsonAnswer(200, { worlds: worlds.all.map(viewOf) });
    throw notTaken("The list of worlds", method, "GET, HEAD");
  }
  const name = path.slice(1);
  if (!NAME.test(name))
    throw new ControlProblem(
      400,
      "INVALID_OPTION",
      "The name of a world has 1 to 64 letters, digits, underscores, dots or hyphens, and begins with none of the last two: PUT /_centavo/worlds/checkout-1.",
    );
  switch (method) {
    case "PUT": {
      const { world, isNew } = worlds.open(name, optionsIn(await readOptions(request)));
      return jsonAnswer(isNew ? 201 : 200, viewOf(world));
    }
    case "GET":
    case "HEAD":
      return jsonAnswer(200, viewOf(worlds.get(name)));
    case "DELETE":
      await worlds.end(name);
      return { status: 204, headers: {}, body: "" };
    default:
      throw notTaken("A world", method, "GET, HEAD, PUT, DELETE");
  }
}

function notTaken(what: string, method: string, allow: string): ControlProblem {
  return new ControlProblem(405, "METHOD_NOT_ALLOWED", `${what} takes ${allow}, not ${method}.`, { allow });
}

/** The values are checked by `createSimulator`, which names each. */
const options = z.object({
  seed: z.optional(z.union([z.string(), z.number()])),
  now: z.optional(z.string()),
  clock: z.optional(z.unknown()),
  assumptions: z.optional(z.record(z.string(), z.unknown())),
  credentials: z.optional(z.record(z.string(), z.string())),
  webhookUrl: z.optional(z.string()),
  faults: z.optional(z.array(z.record(z.string(), z.unknown()))),
});

async function readOptions(request: Request): Promise<unknown> {
  const body = await readBody(request, nextMacrotask);
  try {
    if (body instanceof Problem) throw body;
    return body.trim() === "" ? {} : parseJson(body);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const isTooLarge = error.kind === "body-too-large";
    throw new ControlProblem(
      isTooLarge ? 413 : 400,
      isTooLarge ? "BODY_TOO_LARGE" : "INVALID_OPTION",
      `${error.message}.`,
    );
  }
}

function optionsIn(given: unknown): WorldOptions {
  const { value, errors, unknown } = check(options, { value: given, repeated: [] });
  const [problem] = [...errors, ...unknownFieldProblems(unknown)];
  if (problem === undefined) return value as WorldOptions;
  throw new ControlProblem(400, "INVALID_OPTION", `In the body, ${problem.path || "the value"} ${problem.message}.`);
}

function viewOf({ name, sim }: HostedWorld): object {
  const { baseUrl, authUrl, seed, credentials } = sim;
  return { name, baseUrl, authUrl, seed, credentials, controlUrl: baseUrl + CONTROL_PATH, now: sim.clock.now() };
}
