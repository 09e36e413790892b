import * as z from "zod/mini";
import { nextMacrotask } from "../kit/base/runtime/real-time.ts";
import { parseJson, readBody } from "../kit/http/body.ts";
import { responseOf } from "../kit/http/answers.ts";
import { Problem } from "../kit/http/problem.ts";
import type { Fault } from "../simulator/payment-service.ts";
import { CONTROL_PATH } from "../client/control-api.ts";
import { anObject, aText, asIs } from "./control/as-is.ts";
import { ControlProblem, jsonAnswer } from "./control/problem.ts";
import { control } from "./control/route.ts";
import type { ControlRoute } from "./control/route.ts";
import { checkOwner } from "./inspector/about-worlds.ts";
import type { HostedWorld, HostedWorlds, WorldOptions } from "./hosted-worlds.ts";

/** Where the calls that open, list and end worlds stand. */
export const WORLDS_PATH = "/_centavo/worlds";

const NAME = /^[a-z\d_][\w.-]{0,63}$/i;

/** A world, as its client sees it. */
export const worldView = z.object({
  name: z.string(),
  baseUrl: z.string(),
  authUrl: z.string(),
  controlUrl: z.string(),
  seed: z.string(),
  credentials: z.object({
    merchantId: z.string(),
    clientId: z.string(),
    clientSecret: z.string(),
    adminKey: z.string(),
    webhookSecret: z.string(),
  }),
  now: z.string(),
});

/** The values are checked by `createSimulator` and `sim.faults.add`, which name each. */
const options = z.object({
  seed: z.optional(asIs<string | number>({ anyOf: [{ type: "string", examples: ["checkout"] }, { type: "number" }] })),
  now: z.optional(asIs<string>({ type: "string", format: "date-time" })),
  clock: z.optional(
    asIs<NonNullable<WorldOptions["clock"]>>({
      anyOf: [
        { type: "string", enum: ["manual", "auto", "real"] },
        { ...anObject, examples: [{ auto: { horizon: "1 minute" } }, { real: 60 }] },
      ],
      default: "manual",
    }),
  ),
  assumptions: z.optional(z.record(z.string(), z.unknown())),
  credentials: z.optional(z.record(z.string(), z.string())),
  webhookUrl: z.optional(asIs<string>({ type: "string", format: "uri" })),
  faults: z.optional(z.array(asIs<Fault>(anObject))),
});
/** The names of these options. */
export const worldOptionNames: readonly string[] = Object.keys(options.shape);
const params = z.object({ name: asIs<string>({ ...aText, pattern: NAME.source }) });

/** The routes that open, list and end worlds. */
export const worldRoutes: readonly ControlRoute<HostedWorlds>[] = [
  control({
    name: "worlds.list",
    summary: "Lists the named worlds",
    method: "GET",
    path: "",
    data: z.object({ worlds: z.array(worldView) }),
    perform: (worlds: HostedWorlds) => ({ worlds: worlds.all.map(viewOf) }),
  }),
  control({
    name: "worlds.open",
    summary: "Opens a world",
    method: "PUT",
    path: "/{name}",
    params,
    body: options,
    data: worldView,
    creates: "once",
    perform: (worlds: HostedWorlds, call) => {
      const { world, isNew } = worlds.open(nameOf(call.params.name), call.body as WorldOptions);
      return responseOf(jsonAnswer(isNew ? 201 : 200, viewOf(world)));
    },
  }),
  control({
    name: "worlds.get",
    summary: "Shows a world",
    method: "GET",
    path: "/{name}",
    params,
    data: worldView,
    perform: (worlds: HostedWorlds, call) => viewOf(worlds.get(nameOf(call.params.name))),
  }),
  control({
    name: "worlds.end",
    summary: "Ends a world",
    method: "DELETE",
    path: "/{name}",
    params,
    perform: (worlds: HostedWorlds, call) => {
      const name = nameOf(call.params.name);
      checkOwner(worlds.get(name).sim);
      return worlds.end(name);
    },
  }),
];

/** Reads the options of a world, which are short. */
export async function readOptions(request: Request): Promise<unknown> {
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

/** @throws {ControlProblem} 400 for a name that no address can have */
export function nameOf(name: string): string {
  if (NAME.test(name)) return name;
  throw new ControlProblem(
    400,
    "INVALID_OPTION",
    "The name of a world has 1 to 64 letters, digits, underscores, dots or hyphens, and begins with none of the last two: PUT /_centavo/worlds/checkout-1.",
  );
}

/** Shows a world to a client. */
export function viewOf({ name, sim }: HostedWorld): z.output<typeof worldView> {
  const { baseUrl, authUrl, seed, credentials } = sim;
  return { name, baseUrl, authUrl, seed, credentials, controlUrl: baseUrl + CONTROL_PATH, now: sim.clock.now() };
}
