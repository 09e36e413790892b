import * as z from "zod/mini";
import type { RawAnswer } from "../../kit/http/route.ts";
import { CONTROL_PATH } from "../../client/control-api.ts";
import { eventStream } from "../control/event-stream.ts";
import type { Feed } from "../control/event-stream.ts";
import { ControlProblem } from "../control/problem.ts";
import type { HostedWorlds, MainWorld } from "../hosted-worlds.ts";
import { readOptions } from "../world-routes.ts";
import { aboutWorld } from "./about-worlds.ts";
import type { Access } from "./access.ts";
import { CODE_MINUTES, OneTimeCodes } from "./codes.ts";
import { inspectorDocument } from "./document.ts";
import { RunFeed } from "./run-feed.ts";
import type { Sessions } from "./sessions.ts";
import { untilSignedOut } from "./until-signed-out.ts";
import { WorldsFeed } from "./worlds-feed.ts";

/** Where the inspector's page stands. */
export const INSPECTOR_PAGE = "/_centavo";
/** Where its own calls stand, below the address of a world. */
export const INSPECTOR_PATH = "/_centavo/inspector";

const given = z.object({ code: z.string() });

/** What the inspector shows, and who gets in. */
export interface Inspected {
  readonly main: MainWorld;
  readonly worlds: HostedWorlds;
  readonly access: Access;
  readonly sessions: Sessions;
  /** The address by which browsers reach the server. */
  readonly url: string;
}

/** The inspector of a server: its page, how a browser signs in, and what the page follows. */
export class Inspector {
  readonly #inspected: Inspected;
  readonly #codes = new OneTimeCodes();
  readonly #feeds = new Set<Feed>();

  constructor(inspected: Inspected) {
    this.#inspected = inspected;
  }

  /**
   * Makes an address that lets one browser in.
   * @param minutes how long it can be used, in real time
   */
  newAddress(minutes?: number): string {
    return `${this.#inspected.url}${INSPECTOR_PAGE}#code=${this.#codes.make(minutes)}`;
  }

  /** Whether an address waits to be used. */
  get hasAddress(): boolean {
    return this.#codes.waiting > 0;
  }

  /** Whether a page is open somewhere: each reads a stream for as long as it is. */
  get isWatched(): boolean {
    this.#forgetEndedFeeds();
    return this.#feeds.size > 0;
  }

  /** Answers with the page, which holds no data. */
  page({ method }: Request): Response {
    if (method !== "GET" && method !== "HEAD") throw notAllowed("GET, HEAD");
    const { html, policy } = inspectorDocument;
    return new Response(html, {
      headers: {
        "content-type": "text/html; charset=utf-8",
        // What forbids frames counts in a header alone.
        "content-security-policy": `${policy}; frame-ancestors 'none'`,
        "cache-control": "no-store",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        // Some browsers say only by the referrer which page has sent a request.
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
      },
    });
  }

  /**
   * Answers a call of the page for the whole server; undefined for another.
   * @param path below `INSPECTOR_PATH`
   */
  async answer(request: Request, path: string): Promise<RawAnswer | Response | undefined> {
    const { main, worlds, access } = this.#inspected;
    if (path === "/sign-in" || path === "/sign-out") {
      if (request.method !== "POST") throw notAllowed("POST");
      access.checkPage(request);
      return { status: 204, headers: { "set-cookie": await this.#signed(request, path) }, body: "" };
    }
    if (path !== "/worlds") return undefined;
    const session = access.check(request);
    if (request.method !== "GET") throw notAllowed("GET");
    return this.#stream(new WorldsFeed({ main: main.sim, worlds }), session);
  }

  /**
   * Answers a call of the page for a world.
   * @param path below `INSPECTOR_PATH`
   */
  async answerIn({ sim, name }: MainWorld, request: Request, path: string): Promise<RawAnswer | Response> {
    const session = this.#inspected.access.check(request);
    if (sim === undefined || path !== "/run")
      throw new ControlProblem(
        404,
        "NOT_FOUND",
        `There is nothing at this path. The inspector is at ${INSPECTOR_PAGE}.`,
      );
    if (request.method !== "GET") throw notAllowed("GET");
    const title = aboutWorld(sim).title ?? name ?? "default world";
    // A browser sends the header when a stream breaks off, and a page the parameter when it opens one again.
    const lastId = request.headers.get("last-event-id") ?? new URL(request.url).searchParams.get("after");
    return this.#stream(new RunFeed(sim, title, { lastId }), session);
  }

  #stream(feed: Feed, session: AbortSignal | undefined): Response {
    this.#forgetEndedFeeds();
    this.#feeds.add(feed);
    return untilSignedOut(eventStream(feed), session);
  }

  #forgetEndedFeeds(): void {
    for (const feed of this.#feeds) if (feed.isOver) this.#feeds.delete(feed);
  }

  async #signed(request: Request, path: string): Promise<string> {
    const { sessions } = this.#inspected;
    if (path === "/sign-out") return sessions.end(request);
    const { success, data } = given.safeParse(await readOptions(request));
    if (!success)
      throw new ControlProblem(400, "INVALID_OPTION", 'The body takes the code of an address: {"code": "…"}.');
    if (this.#codes.use(data.code)) return sessions.open();
    throw new ControlProblem(
      401,
      "UNAUTHORIZED",
      `This address was used already, or is older than ${CODE_MINUTES} minutes. Another one: POST ${CONTROL_PATH}/inspector with the control token, or server.inspectorUrl() in the process of the server. A run of tests prints another one when it is started again.`,
    );
  }
}

function notAllowed(methods: string): ControlProblem {
  return new ControlProblem(405, "METHOD_NOT_ALLOWED", `This path takes ${methods}.`, { allow: methods });
}
