import { crossOriginHeaders } from "../kit/http/cors.ts";
import { Problem } from "../kit/http/problem.ts";
import type { RawAnswer } from "../kit/http/route.ts";
import type { Send, Service } from "../kit/http/callable-service.ts";
import { Credentials, idsInAddress, textsInBody } from "./clues.ts";
import { endedIssuerOf, rememberWhenClosed, someWorldsEnded } from "./ended-worlds.ts";
import { knowing, namesOf, narrowed } from "./candidates.ts";
import type { Candidate } from "./candidates.ts";
import { refuse } from "./refusals.ts";
import { sharedDocument } from "./shared-documents.ts";

/** A call that began in one world, but may be meant for another. */
interface BegunCall extends Candidate {
  readonly send: Send;
}

/**
 * An address at which one or several worlds answer. A call's credentials, then its address, then its body decide which world it is for; the
 * caller never matters. With a single world, a call is examined only to find out whether it belongs to an ended one.
 */
export class SharedAddress implements Required<Pick<Service, "beginCall" | "onClose">> {
  readonly #address: string;
  readonly #services: readonly Service[];
  readonly #first: Service;
  readonly #credentials: Credentials;

  /** @param services at least one. Each needs an identity, unless it is the only one */
  constructor(address: string, services: readonly Service[]) {
    this.#address = address;
    this.#services = services;
    this.#first = services[0] as Service;
    this.#credentials = new Credentials([...new Set(services.flatMap(({ identity }) => identity?.headers ?? []))]);
    for (const service of services) rememberWhenClosed(service);
  }

  beginCall(): Send {
    const isAlone = this.#services.length === 1 && (this.#first.identity === undefined || !someWorldsEnded());
    if (isAlone) return begin(this.#first);
    const calls = this.#services.map((service) => ({ service, send: begin(service) }));
    return (request) => this.#send(calls, request);
  }

  /** Calls back once every service is closed. */
  onClose(callback: () => void | Promise<void>): () => void {
    let open = this.#services.length;
    const closed = (): void | Promise<void> => {
      open -= 1;
      return open === 0 ? callback() : undefined;
    };
    const forget = this.#services.map((service) => service.onClose?.(closed));
    return () => forget.forEach((each) => each?.());
  }

  async #send(calls: readonly BegunCall[], request: Request): Promise<RawAnswer | Response> {
    const credentials = this.#credentials.in(request.headers);
    const ids = idsInAddress(new URL(request.url));
    const late = this.#answerToLate(request, credentials, ids);
    if (late !== undefined) return late;
    const document = sharedDocument(request, this.#services);
    if (document !== undefined) return this.#answerTo(request, document);
    let left = narrowed(narrowed(calls, credentials), ids);
    if (request.method === "OPTIONS") {
      // A preflight request carries nothing of the world that the call is for.
      left = [left.find(({ service }) => isForPages(service, request)) ?? (left[0] as BegunCall)];
    } else if (left.length > 1) {
      const body = await textsInBody(request);
      left = narrowed(left, body);
      const foreign =
        left.length > 1 ? this.#answerToForeign(request, left, credentials, [...ids, ...body]) : undefined;
      if (foreign !== undefined) return foreign;
    }
    const [{ send }] = left as readonly [BegunCall];
    return send(request);
  }

  /**
   * Answers a call whose credentials no world knows, as any world would. No world receives it, but all of them warn, because it is unknown
   * which one it was for.
   * @throws {CentavoError} `UNEXPECTED_REQUEST` when the call could be for any of several worlds
   */
  #answerToForeign(
    request: Request,
    left: readonly BegunCall[],
    credentials: readonly string[],
    others: readonly string[],
  ): RawAnswer | undefined {
    const wayOut = 'give each a baseUrl of its own, or reach it by network: "fetch" or "server"';
    if (knowing(left, [...credentials, ...others]).length > 0)
      throw refuseAmbiguous(
        request,
        left,
        "what it carries is known to more than one world",
        `Give each a seed and credentials of its own, or ${wayOut}`,
      );
    if (credentials.length === 0)
      throw refuseAmbiguous(
        request,
        left,
        `it carries nothing that tells for which world at ${this.#address} it is`,
        `Send it with an access token, a client id or another id of its world; else ${wayOut}`,
      );
    if (this.#first.refuse === undefined) return undefined;
    const detail = `None of the worlds at ${this.#address} knows its credentials: ${namesOf(left)}. Log in with those of the test's own simulator`;
    return this.#refuse(request, this.#first.refuse(new Problem("unauthorized", { detail })), detail, {});
  }

  /** Answers a call with ids or credentials of an ended world. No world receives it, but all open ones warn. */
  #answerToLate(request: Request, credentials: readonly string[], ids: readonly string[]): RawAnswer | undefined {
    const owner = this.#isKnown(credentials) ? undefined : this.#endedOwnerOf(credentials);
    const other = owner ?? this.#endedOwnerOf(ids);
    if (other === undefined || this.#first.refuse === undefined) return undefined;
    const [what, wayOut, kind] =
      owner === undefined
        ? (["An id in its address", "keep no ids from test to test", "not-found"] as const)
        : (["Its credential", "log in again in each test or set keepTokens: true", "unauthorized"] as const);
    const detail = `${what} belongs to ${other}, which has ended. Await every call of a test before it ends, and ${wayOut}`;
    const credential = owner === undefined ? undefined : { issuer: owner };
    return this.#refuse(request, this.#first.refuse(new Problem(kind, { detail })), detail, credential);
  }

  /** @param credential who issued the credential of the call, if the call is refused because of it */
  #refuse(request: Request, answer: RawAnswer, detail: string, credential?: { readonly issuer?: string }): RawAnswer {
    const call = nameOf(request);
    const turnedAway = credential === undefined ? {} : { turnedAway: { call, ...credential } };
    for (const { identity } of this.#services)
      identity?.warn({ message: `${call} was refused. ${detail}.`, ...turnedAway });
    return this.#answerTo(request, answer);
  }

  /** Makes an answer that comes from no world. A page of another origin may read it where one of the worlds lets it. */
  #answerTo(request: Request, { status, headers, body }: RawAnswer): RawAnswer {
    const isRead = request.headers.has("origin") && this.#services.some((service) => isForPages(service, request));
    return {
      status,
      headers: { ...headers, ...(isRead ? crossOriginHeaders : {}) },
      body: request.method === "HEAD" ? "" : body,
    };
  }

  #endedOwnerOf(texts: readonly string[]): string | undefined {
    for (const text of texts) {
      const name = endedIssuerOf(text);
      if (name !== undefined && !this.#isKnown([text])) return name;
    }
    return undefined;
  }

  #isKnown(texts: readonly string[]): boolean {
    return texts.some((text) => this.#services.some(({ identity }) => identity?.knows(text)));
  }
}

/** Gives a call its place in a service's queue, and returns a function that makes the call. */
function begin(service: Service): Send {
  return service.beginCall?.() ?? ((request) => service.fetch(request));
}

function refuseAmbiguous({ method, url }: Request, left: readonly BegunCall[], why: string, wayOut: string): Error {
  return refuse(method, new URL(url), left, { reason: `${why}: ${namesOf(left)}. ${wayOut}` });
}

function isForPages(service: Service, { url }: Request): boolean {
  return service.isForPages?.(url) ?? true;
}

function nameOf({ method, url }: Request): string {
  return `${method} ${new URL(url).pathname}`;
}
