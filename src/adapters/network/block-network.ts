import net from "node:net";
import { setImmediate } from "node:timers";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { refuseUnknownOptions } from "../../kit/base/errors/unknown-options.ts";
import { contextOfNow } from "../../kit/base/runtime/async-context.ts";
import { isLoopback } from "../../kit/base/runtime/loopback.ts";
import { testOfNow } from "../../kit/base/runtime/test-context.ts";
import { type AllowedHost, checkRules, isMatched } from "../host-rules.ts";
import { type ConnectTarget, guardConnect, leadsTo, urlOf } from "./connect.ts";
import { listenersToRequests } from "./other-interceptors.ts";
import { running } from "./running.ts";

export interface BlockNetworkOptions {
  /** Hosts that stay reachable, as for `intercept`. A connection tells no path, so a URL covers its whole host. */
  readonly allow?: readonly AllowedHost[];
}

/** A process that reaches only what is allowed. */
export interface BlockedNetwork extends Disposable {
  /** Takes back what this call has blocked and allowed. Does nothing when called again. */
  close(): void;
}

/** What a copy of this module knows of the interceptions that it runs. Jest makes a copy for each test file. */
type Copy = Pick<typeof running, "letsThrough" | "endedAt">;

/** What one call has blocked. */
interface Block {
  readonly allowed: readonly (URL | RegExp)[];
  /** Weak, because a copy would keep everything of its test file. One that is gone runs no interceptions. */
  readonly copy: WeakRef<Copy>;
}

/** What blocks the process. It belongs to the first copy; the others find it on the class of sockets, which they share. */
interface Blocking {
  /**
   * @param allow JSON of the entries, because any object of another copy would keep that copy's test file
   * @returns what takes back what the call has blocked
   */
  block(allow: string, copy: Copy): () => void;
  tell(error: Error): void;
}

const SHARED = Symbol.for("centavo.blocked-network");
const sockets = net.Socket as typeof net.Socket & { [SHARED]?: Blocking };

/**
 * Lets no connection leave this process, in a test or between tests, except to loopback addresses, Unix sockets and allowed hosts, and
 * to those that a running `intercept` allows. `import "centavo/no-network"` calls it. What leaves through UDP or a child process is not seen.
 *
 * A connection that is refused fails with `UNEXPECTED_REQUEST`, whose message names the test that made it, or that left behind what makes
 * it. The first from each test to each host is also thrown as an uncaught error, which fails the run in every runner: a program in the
 * background often swallows its errors.
 *
 * Call it in a set-up file, before any other tool that intercepts. Calls add up.
 *
 * @returns what ends it, for a test of its own
 * @throws {CentavoError} `INVALID_OPTION` for an entry of `allow` that is not a URL; `INTERCEPTION_CONFLICT` when another tool such as
 *   nock or MSW, or an `intercept`, already intercepts
 *
 * @example
 * blockNetwork({ allow: ["https://registry.example"] });
 */
export function blockNetwork(options: BlockNetworkOptions = {}): BlockedNetwork {
  refuseUnknownOptions("blockNetwork", options, ["allow"]);
  const { allowed } = checkRules("blockNetwork()", options, []);
  const close = (sockets[SHARED] ??= startBlocking()).block(JSON.stringify(allowed.map(written)), running);
  return { close, [Symbol.dispose]: close };
}

function startBlocking(): Blocking {
  if (listenersToRequests() > 0) {
    throw new CentavoError(
      "INTERCEPTION_CONFLICT",
      "blockNetwork() cannot start: another tool already intercepts connections, and would open those that it lets through unseen. " +
        "Import centavo/no-network before it, first in your set-up files. nock starts when it is imported, MSW at server.listen().",
    );
  }
  const blocks = new Set<Block>();
  const told = new Set<string>();
  const outsideOfTests = contextOfNow();
  const tell = (error: Error): void => {
    if (blocks.size === 0 || told.has(error.message)) return;
    told.add(error.message);
    outsideOfTests(() =>
      setImmediate(() => {
        throw error;
      }),
    );
  };
  guardConnect((target) => {
    const { path, host, isSimulated = false } = target;
    if (blocks.size === 0 || isSimulated || path !== undefined || isLoopback(host)) return undefined;
    const copies = [...blocks].flatMap(({ copy }) => copy.deref() ?? []);
    if ([...blocks].some(({ allowed }) => isHostOf(target, allowed))) return undefined;
    if (copies.some((copy) => copy.letsThrough(target))) return undefined;
    const error = blocked(
      target,
      copies.map((copy) => copy.endedAt(target)).find((world) => world !== undefined),
    );
    tell(error);
    return error;
  });
  const block: Blocking["block"] = (allow, copy) => {
    const begun = { allowed: (JSON.parse(allow) as Written[]).map(read), copy: new WeakRef(copy) };
    blocks.add(begun);
    return () => void blocks.delete(begun);
  };
  return { block, tell };
}

/** An entry of `allow` as JSON can hold it: a URL, or the source and the flags of a regular expression. */
type Written = string | readonly [source: string, flags: string];

function written(entry: URL | RegExp): Written {
  return entry instanceof URL ? entry.href : [entry.source, entry.flags];
}

function read(entry: Written): URL | RegExp {
  return typeof entry === "string" ? new URL(entry) : new RegExp(...entry);
}

/** Tells of a connection that was refused for another reason, if the network is blocked: nobody may hear of it otherwise. */
export function tellIfBlocked(error: Error): void {
  sockets[SHARED]?.tell(error);
}

function isHostOf(target: ConnectTarget, entries: readonly (URL | RegExp)[]): boolean {
  const { href, port } = urlOf(target);
  const urls = port === "" ? [href] : [href, href.replace(/^https/, "http")];
  return entries.some((entry) =>
    entry instanceof URL ? leadsTo(target, entry) : urls.some((url) => isMatched(new URL(url), [entry])),
  );
}

function blocked(target: ConnectTarget, ended: string | undefined): CentavoError {
  const { host, port } = target;
  return new CentavoError(
    "UNEXPECTED_REQUEST",
    `Centavo refused a connection to ${host}:${port}, because centavo/no-network blocks the network. ${callerInWords(ended)} ` +
      `To let it out, allow it in a set-up file: blockNetwork({ allow: ["${urlOf(target).origin}"] }).`,
  );
}

function callerInWords(ended: string | undefined): string {
  const test = testOfNow();
  if (test !== undefined) {
    const name = JSON.stringify(test.name);
    return test.isOver
      ? `It comes from code that the test ${name} left running: stop its timers, and await its calls, before it ends.`
      : `The test ${name} made it.`;
  }
  if (ended === undefined) return "No test of withSimulator or simulated made it; other tests are not known by name.";
  return `It goes to an address of ${ended}, which has ended: stop what calls it before it ends.`;
}
