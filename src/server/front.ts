import type { Answering } from "../adapters/listen.ts";
import type { Problem } from "../kit/http/problem.ts";
import type { RawAnswer } from "../kit/http/route.ts";
import { answerControl, CONTROL_PATH } from "./control/control.ts";
import { answerToThrown, ControlProblem, jsonAnswer } from "./control/problem.ts";
import type { Gate } from "./gate.ts";
import type { HostedWorlds, MainWorld } from "./hosted-worlds.ts";
import { answerWorlds } from "./world-routes.ts";

const WORLD = /^\/worlds\/([^/]*)(\/.*)?$/s;

/** Finds out which world, and which part of a server, a request is for. */
export class Front implements Answering {
  readonly #main: MainWorld;
  readonly #worlds: HostedWorlds;
  readonly #gate: Gate;

  constructor(main: MainWorld, worlds: HostedWorlds, gate: Gate) {
    this.#main = main;
    this.#worlds = worlds;
    this.#gate = gate;
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

  refuse(problem: Problem): RawAnswer {
    return (
      this.#main.answering.refuse?.(problem) ??
      answerToThrown(new ControlProblem(problem.details.status ?? 400, "UNREADABLE", problem.message))
    );
  }

  async #route(request: Request): Promise<RawAnswer | Response> {
    const { pathname } = new URL(request.url);
    if (pathname === "/_centavo/health" || pathname === "/_centavo/ready") return jsonAnswer(200, { status: "ok" });
    this.#gate.checkHost(request);
    if (pathname === "/_centavo/worlds" || pathname.startsWith("/_centavo/worlds/")) {
      this.#gate.checkToken(request);
      return answerWorlds(this.#worlds, request, pathname.slice("/_centavo/worlds".length)).catch(answerToThrown);
    }
    const [, name, path = "/"] = WORLD.exec(pathname) ?? [];
    if (name === undefined) return this.#within(this.#main, request, pathname);
    return this.#within(this.#worlds.get(decoded(name)), request, path);
  }

  /** @param path below the address of the world */
  async #within(world: MainWorld, request: Request, path: string): Promise<RawAnswer | Response> {
    const { name, sim, answering, baseUrl } = world;
    if (!path.startsWith("/_centavo/"))
      return answering.answer(
        baseUrl === undefined ? request : new Request(addressIn(baseUrl, path, request), request),
      );
    if (!path.startsWith(`${CONTROL_PATH}/`))
      throw new ControlProblem(404, "NOT_FOUND", `There is nothing at ${path}. The control API is at ${CONTROL_PATH}.`);
    this.#gate.checkToken(request);
    if (sim === undefined) throw new ControlProblem(404, "NOT_FOUND", "This server's default world is no simulator.");
    return answerControl({ name, sim }, request, path.slice(CONTROL_PATH.length)).catch(answerToThrown);
  }
}

function addressIn(baseUrl: string, path: string, { url }: Request): string {
  return baseUrl + path + new URL(url).search;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    throw new ControlProblem(404, "NOT_FOUND", "The name of the world is not valid percent-encoding.");
  }
}
