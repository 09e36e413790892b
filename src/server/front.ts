import type { Answering } from "../adapters/listen.ts";
import { once } from "../kit/base/runtime/once.ts";
import type { Problem } from "../kit/http/problem.ts";
import type { RawAnswer } from "../kit/http/route.ts";
import { readJson } from "./control/body.ts";
import { CONTROL_PATH } from "../client/control-api.ts";
import { Control } from "./control/control.ts";
import { answerToThrown, ControlProblem, notKept } from "./control/problem.ts";
import { controlRoutes } from "./control/routes.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { Gate } from "./gate.ts";
import type { HostedWorlds, MainWorld } from "./hosted-worlds.ts";
import type { Access } from "./inspector/access.ts";
import { INSPECTOR_PAGE, INSPECTOR_PATH } from "./inspector/inspector.ts";
import type { Inspector } from "./inspector/inspector.ts";
import { untilSignedOut } from "./inspector/until-signed-out.ts";
import { readableBy } from "./origins.ts";
import type { Origins } from "./origins.ts";
import { checkRoom } from "./room.ts";
import { untilRead } from "./until-read.ts";
import { readOptions, worldRoutes, WORLDS_PATH } from "./world-routes.ts";

const WORLD = /^\/worlds\/([^/]*)(\/.*)?$/s;
/** RFC 8414 §3.1 puts the well-known part in front of the issuer's own path. */
const METADATA = /^(\/\.well-known\/(?:oauth-authorization-server|openid-configuration))\/worlds\/([^/]+)$/;
/** The methods that add nothing to a world. */
const READING: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

const ofWorlds = new Control(worldRoutes, readOptions);
const ofWorld = once(() => new Control(controlRoutes(), readJson));

/** Who gets into a server. */
export interface Guards {
  readonly gate: Gate;
  readonly origins: Origins;
  readonly access: Access;
}

/** Finds out which world, and which part of a server, a request is for. */
export class Front implements Answering {
  readonly #main: MainWorld;
  readonly #worlds: HostedWorlds;
  readonly #guards: Guards;
  readonly #inspector: Inspector;

  constructor(main: MainWorld, worlds: HostedWorlds, guards: Guards, inspector: Inspector) {
    this.#main = main;
    this.#worlds = worlds;
    this.#guards = guards;
    this.#inspector = inspector;
  }

  async answer(request: Request): Promise<RawAnswer | Response> {
    try {
      return await this.#route(request);
    } catch (error) {
      // What a service throws breaks the connection off.
      if (error instanceof ControlProblem) return answerToThrown(error);
      throw error;
    }
  }

  refuse(problem: Problem): RawAnswer | undefined {
    return this.#main.answering.refuse?.(problem);
  }

  /** Returns the simulator of the world that a request is for, if there is one. */
  simFor({ url }: Request): Simulator | undefined {
    const { name } = placeOf(new URL(url).pathname);
    return (name === undefined ? this.#main : this.#worlds.find(name))?.sim;
  }

  async #route(request: Request): Promise<RawAnswer | Response> {
    const { pathname } = new URL(request.url);
    const { gate, access } = this.#guards;
    gate.checkHost(request);
    if (pathname === INSPECTOR_PAGE || pathname === `${INSPECTOR_PAGE}/`) return this.#inspector.page(request);
    if (pathname === WORLDS_PATH || pathname.startsWith(`${WORLDS_PATH}/`)) {
      access.check(request);
      return ofWorlds.answer(this.#worlds, request, pathname.slice(WORLDS_PATH.length)).catch(answerTo(request));
    }
    const { name, path } = placeOf(pathname);
    if (name === undefined) return (await this.#ofInspector(request, path)) ?? this.#within(this.#main, request, path);
    const { world, leave } = this.#worlds.use(name);
    return untilRead(request, leave, async () => {
      if (!path.startsWith("/_centavo/") && !READING.has(request.method)) checkRoom(world, this.#worlds.mostRows);
      return this.#within(world, request, path);
    });
  }

  /** Answers a call of the inspector for the whole server; undefined for another. */
  async #ofInspector(request: Request, path: string): Promise<RawAnswer | Response | undefined> {
    if (!path.startsWith(`${INSPECTOR_PATH}/`)) return undefined;
    return this.#inspector.answer(request, path.slice(INSPECTOR_PATH.length));
  }

  /** @param path below the address of the world */
  async #within(world: MainWorld, request: Request, path: string): Promise<RawAnswer | Response> {
    const { sim, baseUrl = new URL(request.url).origin } = world;
    if (!path.startsWith("/_centavo/")) return this.#serve(world, request, path);
    if (path.startsWith(`${INSPECTOR_PATH}/`))
      return this.#inspector.answerIn(world, request, path.slice(INSPECTOR_PATH.length));
    const session = this.#guards.access.check(request);
    if (!path.startsWith(`${CONTROL_PATH}/`))
      throw new ControlProblem(
        404,
        "NOT_FOUND",
        `There is nothing at this path. The control API is at ${CONTROL_PATH}.`,
      );
    if (sim === undefined) throw new ControlProblem(404, "NOT_FOUND", "This server's default world is no simulator.");
    const inspectorUrl = (): string => this.#inspector.newAddress();
    const ground = { ...world, sim, baseUrl, worlds: this.#worlds, inspectorUrl };
    const answer = await ofWorld().answer(ground, request, path.slice(CONTROL_PATH.length)).catch(answerTo(request));
    try {
      await sim.internals.parts.engine.inputs?.keeper?.kept();
      return untilSignedOut(answer, session);
    } catch (error) {
      if (answer instanceof Response) await answer.body?.cancel();
      throw notKept(error);
    }
  }

  async #serve(
    { service, answering, baseUrl }: MainWorld,
    request: Request,
    path: string,
  ): Promise<RawAnswer | Response> {
    const origin = this.#guards.origins.check(request);
    const url = baseUrl === undefined ? request.url : baseUrl + path + new URL(request.url).search;
    const answer = await answering.answer(baseUrl === undefined ? request : new Request(url, request));
    // The address of a secret is for no page, whichever origin it has.
    return origin === undefined || service.takesPages?.(url) === false ? answer : readableBy(origin, request, answer);
  }
}

function answerTo({ signal }: Request): (thrown: unknown) => RawAnswer {
  return (thrown) => answerToThrown(thrown, signal);
}

/** Returns the name of the world that a path leads to, undefined for the default one, and the path below its address. */
function placeOf(pathname: string): { readonly name?: string; readonly path: string } {
  const [, document, issuer] = METADATA.exec(pathname) ?? [];
  const [, name = issuer, path = document ?? "/"] = WORLD.exec(pathname) ?? [];
  return name === undefined ? { path: pathname } : { name: decoded(name), path };
}

/** Undoes percent-encoding. What is none stays as it is, because no world has such a name. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
