import { fetchBy } from "../../kit/http/answers.ts";
import { connectionReset } from "../../kit/http/network-errors.ts";
import type { RawAnswer } from "../../kit/http/route.ts";
import { meantStatus } from "../../service/error-table.ts";
import type { PlacedTrouble } from "../story.ts";
import { isMaking } from "../../troubles/routes.ts";
import { doing } from "../../merchant/process/merchant-process.ts";
import type { Cause, MerchantProcess } from "../../merchant/process/merchant-process.ts";
import { Elsewhere } from "./elsewhere.ts";
import type { ObservedCall } from "./observations.ts";
import type { StoryRun } from "./story-run.ts";
import { Tries } from "./tries.ts";

const HOUR = 3_600_000;
/** More calls than this within an hour, one a second, means that the merchant calls without a pause. */
export const MOST_CALLS_AN_HOUR = 3600;

/** How long a connection may be silent before it breaks, in milliseconds. */
const SILENCE = 300_000;

/** The merchant's calls to the service. Each call waits for its turn, and so does its answer. */
export class Calls {
  readonly #run: StoryRun;
  /** The times of each kind of call, to find those that never pause. */
  readonly #made = new Map<string, number[]>();
  readonly #tries = new Tries();
  /** The customer ids, by the external ids that the program gave what it asked the service to create for them. */
  readonly #named = new Map<string, string>();

  /** Only stories without trouble tell where the program runs. */
  readonly #elsewhere: Elsewhere | undefined;

  constructor(run: StoryRun) {
    this.#run = run;
    this.#elsewhere = run.story.troubles.length === 0 ? new Elsewhere(run) : undefined;
  }

  close(): void {
    this.#elsewhere?.close();
  }

  /** Returns the `fetch` of one run of the merchant's program. */
  fetchOf(process: MerchantProcess): typeof globalThis.fetch {
    return async (input, init) => {
      const { sim } = this.#run;
      const address = typeof input === "string" && input.startsWith("/") ? sim.baseUrl + input : input;
      return this.#call(process, takeOver(address, init));
    };
  }

  async #call(process: MerchantProcess, call: Call): Promise<Response> {
    const { request } = call;
    const run = this.#run;
    const { held, time, seen } = run;
    const cause = doing.value?.cause;
    const isSeen = cause?.kind !== "books";
    const route = this.#routeOf(request);
    const placed = isSeen ? run.troubles.at(seen.passes("call", route ?? "unknown")) : [];
    const observed: ObservedCall = {
      route,
      what: `${request.method} ${new URL(request.url).pathname}`,
      at: time.now,
      id: cause?.id,
      status: undefined,
      cause,
    };
    // Who asks the service does more than wait. What runs in the background may ask less often all the same.
    if (cause !== undefined && cause.kind !== "open") cause.pauses = 0;
    if (isSeen) {
      if (seen.calls.length === 0) this.#elsewhere?.firstCall(cause, observed.what);
      seen.calls.push(observed);
      if (this.#isStorm(observed))
        run.course.breakOff("The merchant made the same call so often that its story was broken off");
      await held.turn();
    }
    if (placed.some(({ trouble }) => trouble.deploys === true)) await run.programs.deploy();
    if (!process.isAlive) return never();
    // A fault is planned only when its call reaches the service. Planned earlier, it could strike another call of the same route.
    for (const each of placed) run.troubles.happens(each, route === undefined ? {} : { route });
    run.crashIf(placed, "before", process);
    if (!process.isAlive) return never();
    const sent = time.now;
    let meant: number | undefined;
    const heard = (answer: RawAnswer | Response): void => {
      meant = meantStatus(answer);
    };
    const response = await this.#send(call, { route, heard }, cause, placed).catch((error: unknown) => {
      if (cause !== undefined && this.#tries.inVain(cause, `${request.method} ${request.url}`, sent, time.now))
        run.course.breakOff(
          `The merchant repeated the call ${observed.what} without a pause whenever it got no answer, so its story was broken off`,
        );
      throw error;
    });
    // What a merchant knows depends on what an answer means, not on the status that the assumptions give it.
    observed.status = meant ?? response.status;
    observed.answeredAt = time.now;
    observed.answeredAfter = seen.calls.length;
    if (route === "oauth.token") void run.watch.secrets.learn(response);
    if (isSeen) await held.turn();
    run.crashIf(placed, "after", process);
    return process.isAlive ? response : never();
  }

  async #send(
    { request, textSoFar }: Call,
    { route, heard }: { readonly route: string | undefined; readonly heard: (answer: RawAnswer | Response) => void },
    cause: Cause | undefined,
    placed: readonly PlacedTrouble[],
  ): Promise<Response> {
    const { sim, time } = this.#run;
    const silence = Promise.withResolvers<never>();
    const callOff = time.after(SILENCE, () => {
      this.#noteSilence(request, cause);
      silence.reject(connectionReset());
    });
    try {
      return await Promise.race([fetchBy(sim.beginCall(), request, heard), silence.promise]);
    } finally {
      callOff();
      this.#run.troubles.callEnded(placed);
      // Only a call that creates something needs an owner.
      this.#claim(isMaking(route) ? textSoFar() : "", cause?.id);
    }
  }

  /**
   * Notes that a request waited for a call until the connection broke, although reads hang for longer. Limits that intercepted clients set
   * on their sockets are in real time, so nobody can tell whether such a call has one.
   */
  #noteSilence({ method, url }: Request, cause: Cause | undefined): void {
    const { course, seen, troubles, time, options } = this.#run;
    if (cause === undefined || options.intercept === true || time.now > troubles.endsAt) return;
    const isWaitedFor = [...course.exchanges].some((each) => each.cause === cause);
    if (isWaitedFor && (cause.kind === "act" || cause.kind === "event"))
      seen.waitsForEver(
        `The call ${method} ${new URL(url).pathname} has no timeout: ${cause.what ?? "meanwhile"}, the merchant waited for 5 minutes, until the connection broke.`,
      );
  }

  /** Notes who owns the payment, session or subscription that a call created. */
  #claim(text: string, id: string | undefined): void {
    const { owners, foreign } = this.#run.seen;
    const externalId = externalIdIn(text);
    // The call may have failed, and a job may make it again.
    if (id !== undefined && externalId !== undefined) this.#named.set(externalId, id);
    const unowned = this.#rows.filter((row) => !owners.has(row.id) && !foreign.has(row.id));
    for (const row of unowned) {
      if (row.data.externalId !== externalId) continue;
      const owner = id ?? this.#ownerNamed(externalId) ?? this.#onlyOwner();
      if (owner !== undefined) owners.set(row.id, owner);
    }
  }

  #ownerNamed(externalId: string | undefined): string | undefined {
    if (externalId === undefined) return undefined;
    const { seen, ids } = this.#run;
    const known = this.#named.get(externalId);
    if (known !== undefined) return known;
    const sibling = this.#rows.find((row) => row.data.externalId === externalId && seen.owners.has(row.id));
    if (sibling !== undefined) return seen.owners.get(sibling.id);
    // The longest first, because `order-12` contains `order-1`.
    return [...ids].toSorted((one, other) => other.length - one.length).find((each) => externalId.includes(each));
  }

  /** Returns the only customer for whom a job may have paid: the only one so far, or the only one who has nothing yet. */
  #onlyOwner(): string | undefined {
    const { seen, ids } = this.#run;
    const owners = new Set(seen.owners.values());
    const without = [...ids].filter((id) => !owners.has(id));
    const [only, ...others] = ids.size === 1 ? ids : without;
    return others.length === 0 ? only : undefined;
  }

  /** Rows instead of views, because copying the views for each call would take longer than the call. */
  get #rows(): readonly { readonly id: string; readonly data: { readonly externalId?: string } }[] {
    const { intents, subscriptions } = this.#run.sim.internals.parts;
    return [...intents.rows.all().filter(({ data }) => data.purpose !== "subscription"), ...subscriptions.rows.all()];
  }

  /** Whether this call is repeated so often that playing the story would take too long. */
  #isStorm({ what, at }: ObservedCall): boolean {
    const made = this.#made.get(what) ?? [];
    this.#made.set(what, made);
    made.push(at);
    return (made.at(-1 - MOST_CALLS_AN_HOUR) ?? 0) > at - HOUR;
  }

  #routeOf({ method, url }: Request): string | undefined {
    const { sim } = this.#run;
    const base = [sim.baseUrl, sim.authUrl].find((each) => url.startsWith(`${each}/`));
    if (base === undefined) return undefined;
    return sim.internals.parts.dispatcher.routeOf(method, url);
  }
}

interface Call {
  readonly request: Request;
  /** The text of the body that has been read so far. */
  readonly textSoFar: () => string;
}

/**
 * Copies a request, because its client may change it or send it again while the call waits for its turn.
 * @throws TypeError whatever `new Request(input, init)` throws, such as for a request that was already sent
 */
function takeOver(input: Request | URL | string, init: RequestInit | undefined): Call {
  const given = new Request(input, init);
  if (given.body === null) return { request: given, textSoFar: () => "" };
  const decoder = new TextDecoder();
  let text = "";
  const listening = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform: (chunk, controller) => {
      text += decoder.decode(chunk, { stream: true });
      controller.enqueue(chunk);
    },
  });
  const heard: RequestInit & { duplex: "half" } = {
    body: given.body.pipeThrough(listening),
    duplex: "half",
    // The client's own signal: once `given` is out of scope, Node would collect the signal that it derived.
    signal: init?.signal ?? (input instanceof Request ? input.signal : null),
  };
  return { request: new Request(given, heard), textSoFar: () => text };
}

function never(): Promise<never> {
  return new Promise(() => undefined);
}

function externalIdIn(text: string): string | undefined {
  if (!text.includes("externalId")) return undefined;
  try {
    const { externalId } = JSON.parse(text) as { readonly externalId?: unknown };
    return typeof externalId === "string" ? externalId : undefined;
  } catch {
    return undefined;
  }
}
