import * as z from "zod/mini";
import { check, unknownFieldProblems } from "../kit/http/validation.ts";
import type { RawAnswer } from "../kit/http/route.ts";
import { readJson } from "./control/body.ts";
import { CONTROL_PATH } from "./control/control.ts";
import { ControlProblem, jsonAnswer } from "./control/problem.ts";
import type { HostedWorld, HostedWorlds, WorldOptions } from "./hosted-worlds.ts";

const NAME = /^[\w.-]{1,64}$/;

/** Answers the calls that open, list and end worlds. */
export async function answerWorlds(worlds: HostedWorlds, request: Request, path: string): Promise<RawAnswer> {
  const { method } = request;
  if (path === "" && method === "GET") return jsonAnswer(200, { worlds: worlds.all.map(viewOf) });
  const name = path.slice(1);
  if (!NAME.test(name))
    throw new ControlProblem(
      400,
      "INVALID_OPTION",
      "The name of a world has 1 to 64 letters, digits, dots, hyphens or underscores: PUT /_centavo/worlds/checkout-1.",
    );
  if (method === "PUT") return jsonAnswer(201, viewOf(worlds.open(name, optionsIn(await readJson(request)))));
  if (method === "GET") return jsonAnswer(200, viewOf(worlds.get(name)));
  if (method === "DELETE") {
    await worlds.end(name);
    return { status: 204, headers: {}, body: "" };
  }
  throw new ControlProblem(405, "METHOD_NOT_ALLOWED", `A world takes GET, PUT and DELETE, not ${method}.`, {
    allow: "GET, PUT, DELETE",
  });
}

/** The values are checked by `createSimulator`, which names each. */
const options = z.object({
  seed: z.optional(z.union([z.string(), z.number()])),
  now: z.optional(z.string()),
  clock: z.optional(z.unknown()),
  assumptions: z.optional(z.record(z.string(), z.unknown())),
  credentials: z.optional(z.record(z.string(), z.string())),
  webhookUrl: z.optional(z.string()),
});

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
