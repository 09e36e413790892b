import type { Service } from "../../kit/http/callable-service.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { isLoopback } from "../../kit/base/runtime/loopback.ts";
import { warnProcess } from "../../kit/base/runtime/process-warning.ts";
import { type TestContext, testOfNow } from "../../kit/base/runtime/test-context.ts";
import { keepOrderOfCallsTo } from "../call-order.ts";
import { basesOf, refuseSharedAddresses } from "../destinations.ts";
import { checkRules, type HostRules } from "../host-rules.ts";
import { refusal, refuse } from "../refusals.ts";
import { patchAgents } from "./agents.ts";
import { tellIfBlocked } from "./block-network.ts";
import { leaveCallBefore } from "./call-context.ts";
import { CallsOfInterception } from "./calls.ts";
import { type ConnectTarget, guardConnect, urlOf } from "./connect.ts";
import { followCalls } from "./follow-calls.ts";
import { patchFetch } from "./global-fetch.ts";
import { lateConnection, LateCalls, strayConnection } from "./late-calls.ts";
import { listenersToRequests, onOlderFetch } from "./other-interceptors.ts";
import { running } from "./running.ts";
import { type InterceptedSockets, interceptSockets, wasIntercepted } from "./sockets.ts";

/** Where the copy of this module that intercepts now says so. It has a name, because copies do not share objects. */
const intercepting = Symbol.for("centavo.intercepting");
const thisCopy = {};

/** Whether a test may have left something running that calls its simulator. */
let testsHaveEnded = false;
const warnedOf = new Set<string>();
let removePatches: (() => void) | undefined;
let removeGuard: (() => void) | undefined;
let sockets: InterceptedSockets | undefined;
const late = new LateCalls(removeWhatIsOver);

/**
 * Starts answering for a service, and for the apps that are connected to it. The first interception applies the patches, and the last one
 * removes them.
 *
 * @returns a function that stops it
 * @throws {CentavoError} `INTERCEPTION_CONFLICT` when another service already answers at the base URL and cannot share it, or another copy of
 *   this module intercepts
 */
export function startInterception(service: Service, rules: HostRules): () => void {
  const bases = basesOf(service);
  const urlsNow = () => [...bases.map(({ url }) => url), ...(service.origins ?? []).map((origin) => new URL(origin))];
  const calls = new CallsOfInterception(urlsNow, addLateCalls);
  const interception = { service, bases, rules: checkRules("intercept()", rules, bases), calls };
  refuseSharedAddresses("intercept()", [...running.basesOfServices, ...bases]);
  removePatches ??= applyPatches();
  Reflect.set(globalThis, intercepting, thisCopy);
  running.add(interception);
  service.onIntercepted?.();
  const forgetOrder = bases.map(({ url, path }) => keepOrderOfCallsTo(url, path));
  return () => {
    if (!running.remove(interception)) return;
    leaveCallBefore();
    testsHaveEnded ||= service.test !== undefined;
    for (const forget of forgetOrder) forget();
    calls.end();
    // Calls that have not arrived are refused where they arrive, a turn of the event loop later at most.
    if (!calls.areAwaited) removeWhatIsOver();
  };
}

/** Stands alone, because a world would live on in the scope of its interception. */
function addLateCalls(calls: CallsOfInterception): void {
  late.add(calls);
}

function applyPatches(): () => void {
  refuseOtherCopy();
  removeGuard ??= applyGuard();
  const intercepted = interceptSockets();
  sockets = intercepted;
  running.othersListen = () => intercepted.hasOthers();
  const removeAgents = patchAgents((socket) => intercepted.has(socket));
  const patches = [patchFetch()];
  const stopWaiting = onOlderFetch(() => patches.push(patchFetch()));
  return () => {
    sockets = undefined;
    stopWaiting();
    for (const remove of patches.toReversed()) if (!remove()) intercepted.onOtherGone(remove);
    intercepted.release();
    removeAgents();
  };
}

/** Keeps calls from leaving after their interception. It is applied before everything else, so that it lies beneath. */
function applyGuard(): () => void {
  // Above a tool that has started before, it sees what is intercepted, too.
  const isBeneath = listenersToRequests() === 0;
  const guard = guardConnect((target) => {
    // Connections that another tool only simulates come through here too, and that tool decides what leaves.
    const othersListen = sockets?.hasOthers() ?? listenersToRequests() > 0;
    if (othersListen || target.isSimulated === true) return undefined;
    if (running.answersAt(target)) return !isBeneath || running.mayLetThrough(target) ? undefined : notHttp(target);
    // While another interception runs, it has let this connection through: by its option `allow`, if the host is not of this machine.
    const isLate = running.size > 0 ? late.areAwaitedAt(target) : late.mayLeaveBy(target);
    const error = strayFrom(testOfNow(), target) ?? (isLate ? lateConnection(target) : undefined);
    if (error !== undefined) tellIfBlocked(error);
    return error;
  });
  const stopFollowing = followCalls({
    connect: () => sockets?.expectHttp(),
    ask(url, origin) {
      if (url.host !== origin.host) sockets?.expectProxied(origin);
    },
    send(call, socket) {
      // What is intercepted arrives, and is refused there.
      if (call.isLate && !wasIntercepted(socket)) socket.destroy(call.endLate());
      else if (!call.isLate && sockets !== undefined && !(sockets.has(socket) && wasIntercepted(socket))) {
        // Another tool decides about other hosts, and may have answered on this connection before.
        if (sockets.hasOthers() && running.find(call.url).kind === "refused") return;
        socket.destroy(
          refusal(
            call.method,
            call.url,
            "its connection was opened before intercept(), or leads through a proxy. Close the client's connections, or open them later, without the proxy",
          ),
        );
      }
    },
  });
  return () => {
    stopFollowing();
    guard.remove();
  };
}

/**
 * Refuses a connection to an address that is answered here. The library opens one for what is no request of HTTP, which may hold
 * credentials all the same.
 */
function notHttp(target: ConnectTarget): CentavoError {
  const reason =
    "it carries something else than a request of HTTP, such as a body that is longer than its Content-Length";
  return refuse("CONNECT", urlOf(target), running.candidates, { reason });
}

/** Returns the error of a connection from what an ended test left running to its simulator, and warns of the first. */
function strayFrom(test: TestContext | undefined, target: ConnectTarget): CentavoError | undefined {
  const isStray = test?.isOver === true && running.endedAt(target) !== undefined && !isLoopback(target.host);
  if (!isStray || running.allows(target)) return undefined;
  const error = strayConnection(target, test.name);
  if (!warnedOf.has(error.message)) warnProcess(error.message);
  warnedOf.add(error.message);
  return error;
}

function removeWhatIsOver(): void {
  if (running.size > 0) return;
  removePatches?.();
  removePatches = undefined;
  if (Reflect.get(globalThis, intercepting) === thisCopy) Reflect.deleteProperty(globalThis, intercepting);
  if (late.mayLeave || testsHaveEnded) return;
  removeGuard?.();
  removeGuard = undefined;
}

/** Two copies would judge each call twice, and each would refuse what only the other answers. */
function refuseOtherCopy(): void {
  if ((Reflect.get(globalThis, intercepting) ?? thisCopy) === thisCopy) return;
  throw new CentavoError(
    "INTERCEPTION_CONFLICT",
    "intercept() cannot start: another copy of Centavo intercepts in this process. Its modules were probably loaded anew, as jest.resetModules() and vi.resetModules() do, or two versions are installed " +
      '("npm ls centavo" shows them). Close the network or simulator of the other copy before, or import centavo/node once, at the top of the test file.',
  );
}
