import { isLoopback } from "../kit/base/runtime/loopback.ts";
import type { Finding } from "./finding.ts";
import { right, wrong } from "./finding.ts";
import type { Observation, Observed } from "./observations.ts";

const MOST_NAMED = 5;

/** Says what a run of the suite has shown. Processes without a simulator, such as npm's own, do not count. */
export function checkObserved(all: readonly Observed[]): readonly Finding[] {
  const processes = all.filter((observed) => ofKind(observed, "simulator").length > 0);
  if (processes.length === 0)
    return [
      wrong(
        "simulators",
        "The command opened no simulator.",
        "No test ran that uses Centavo, or the processes of the tests do not get NODE_OPTIONS, by which this command looks into them.",
        "Pass the command that runs the tests with Centavo, such as centavo doctor -- npx vitest run, and keep NODE_OPTIONS in its environment.",
      ),
    ];
  const observed = processes.flat();
  return [
    ...checkBaseUrls(observed),
    ...checkHosts(observed),
    ...checkReceivers(observed),
    ...processes.flatMap(checkHanging).slice(0, MOST_NAMED),
    ...(processes.some((each) => checkHanging(each).length > 0) ? [] : [right("hanging", "Every call got an answer.")]),
  ];
}

function ofKind<Kind extends Observation["kind"]>(
  observed: Observed,
  kind: Kind,
): readonly Extract<Observation, { readonly kind: Kind }>[] {
  return observed.filter((each): each is Extract<Observation, { readonly kind: Kind }> => each.kind === kind);
}

function checkBaseUrls(observed: Observed): readonly Finding[] {
  const called = new Set(ofKind(observed, "called").map(({ baseUrl }) => baseUrl));
  const all = [...new Set(ofKind(observed, "simulator").map(({ baseUrl }) => baseUrl))];
  const refused = ofKind(observed, "refused");
  const idle = all.filter((baseUrl) => !called.has(baseUrl));
  return [
    ...(called.size === 0
      ? []
      : [right("base-url", `${listed([...called])} ${called.size === 1 ? "was" : "were"} called.`)]),
    ...idle.slice(0, MOST_NAMED).map((baseUrl) =>
      neverCalled(
        baseUrl,
        refused.find((each) => each.baseUrl === baseUrl),
      ),
    ),
  ];
}

function neverCalled(baseUrl: string, meant: Extract<Observation, { readonly kind: "refused" }> | undefined): Finding {
  const what = `Nobody called the base URL ${baseUrl}.`;
  return meant === undefined
    ? wrong(
        "base-url",
        what,
        "The simulator was opened, and no request reached it: your app has another base URL, runs in a process that nothing intercepts, or the tests never let it pay.",
        `Let your app call ${baseUrl}, or give createSimulator the baseUrl that your app calls. An app in a process of its own needs centavo serve.`,
      )
    : wrong(
        "base-url",
        what,
        `Your app called ${meant.call} instead, which the service has.`,
        `Set the base URL of your app to ${baseUrl}, or give createSimulator({ baseUrl: "${meant.origin}" }).`,
      );
}

/** Names the first few, and counts the others. */
function listed(names: readonly string[]): string {
  const more = names.length - MOST_NAMED;
  return names.slice(0, MOST_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function checkHosts(observed: Observed): readonly Finding[] {
  const simulated = new Set(
    ofKind(observed, "simulator").flatMap(({ baseUrl, authUrl }) => [
      new URL(baseUrl).hostname,
      new URL(authUrl).hostname,
    ]),
  );
  const left = [...new Set(ofKind(observed, "left").map(({ host }) => host))].filter((host) => !isLoopback(host));
  const refused = Map.groupBy(
    ofKind(observed, "refused").filter(({ baseUrl }) => baseUrl === undefined),
    ({ origin }) => origin,
  );
  const findings = [
    ...left
      .slice(0, MOST_NAMED)
      .map((host) =>
        simulated.has(host)
          ? wrong(
              "hosts",
              `A call to ${host} left for the network, although it is simulated.`,
              "It was made before intercept() or after close(), or in a process that nothing intercepts.",
              "Intercept before the first call, await every call before the network is closed, or use centavo serve for an app in a process of its own.",
            )
          : wrong(
              "hosts",
              `A call left for ${host}, which is not simulated.`,
              "Nothing intercepted it, or the option allow lets it out, so the suite depends on the network.",
              'Mock it, drop it, or block the network for the whole suite: import "centavo/no-network" in a set-up file.',
            ),
      ),
    ...[...refused]
      .slice(0, MOST_NAMED)
      .map(([origin, calls]) =>
        wrong(
          "hosts",
          `Centavo refused calls to ${origin}, such as ${calls[0]?.call ?? origin}.`,
          "The host is not simulated, so the request did not leave the test, and your app got a network error.",
          `Mock it, or let it out: intercept(sim, { allow: ["${origin}"] }); for telemetry, { drop: ["${origin}"] } answers an empty 204.`,
        ),
      ),
  ];
  return findings.length === 0 ? [right("hosts", "No call left for another host.")] : findings;
}

function checkReceivers(observed: Observed): readonly Finding[] {
  const accepted = new Set(ofKind(observed, "accepted").map(({ url }) => url));
  const declined = Map.groupBy(ofKind(observed, "declined"), ({ url }) => url);
  const [why] = ofKind(observed, "unverified");
  const findings = [...declined].flatMap(([url, [first]]) => {
    if (accepted.has(url) || first === undefined) return [];
    return wrong(
      "webhook-secret",
      `${url} refused every event with ${first.status}, such as ${first.type}.`,
      why === undefined
        ? "The secret that your app verifies with is probably not that of the simulator, or it verifies a body that was parsed and written again."
        : `verifyWebhook says: ${why.message}`,
      "Give your app sim.credentials.webhookSecret, or createSimulator({ credentials: { webhookSecret } }) the secret of your app, and verify the raw body.",
    );
  });
  return accepted.size === 0
    ? findings
    : [...findings, right("webhook-secret", `${listed([...accepted])} accepted events.`)];
}

function checkHanging(observed: Observed): readonly Finding[] {
  const ended = new Set(ofKind(observed, "ended").map(({ id }) => id));
  return ofKind(observed, "hangs")
    .filter(({ id }) => !ended.has(id))
    .map(({ call }) =>
      wrong(
        "hanging",
        `${call} got no answer.`,
        "Fake timers may hold back the answer, a mock may never answer, or the process ended before.",
        "Leave nextTick, queueMicrotask and setImmediate real where timers are faked, and look at the mock that answers this host.",
      ),
    );
}
