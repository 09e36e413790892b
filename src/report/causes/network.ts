import { meantStatus } from "../../service/error-table.ts";
import { nearest } from "../../kit/base/errors/nearest.ts";
import type { Cause } from "./cause.ts";
import { failedVisit } from "./clues.ts";
import type { Clues } from "./clues.ts";
import { SERVICE_PAGE } from "./pages.ts";
import { quoted } from "./wording.ts";

/** A host that differs from the right one in fewer characters counts as misspelt. */
const MISSPELT = 4;
/** Lets Jest load the interceptors, which are ES modules. */
const MODULES_FLAG = "NODE_OPTIONS=--experimental-vm-modules";
/** How Jest says that it loads no ES modules. */
const NO_MODULES = "Must use import to load ES Module";
/** A failed look-up, or a connection that was refused because an earlier test intercepted its host. */
const NOT_REACHED = /(?:\b(?:ENOTFOUND|EAI_AGAIN)|Centavo refused a connection to) ([\w.-]+)/g;

/** How Chromium, Firefox and Safari say that a `fetch` failed, whatever the reason. */
const FAILED_IN_A_PAGE = /^(?:Failed to fetch|NetworkError when attempting to fetch resource|Load failed)/m;

/** How Node's `fetch` says that it was given no address. */
const NO_ADDRESS = /Failed to parse URL from (\S+)/;

/** How MSW, nock and the `MockAgent` of undici say that they let no request pass. */
const REFUSED_BY_A_MOCK =
  /\[MSW\] Cannot bypass a request|Nock: Disallowed net connect for "(?<nocked>[\w.-]+)|request to origin https?:\/\/(?<agent>[\w.-]+)\S* was not allowed/;

/** Reasons why requests do not reach the simulator. */
export const networkCauses: readonly Cause[] = [
  {
    name: "second-interceptors",
    looksAt: "whether the test's error says that another copy of `@mswjs/interceptors` is active",
    explanation:
      "Two copies of `@mswjs/interceptors` 0.42 or later patch the same sockets and break each other. nock 15.0.2 brings one. `npm ls @mswjs/interceptors` shows which package installs which. msw 3 and nock 15.0.6 share the copy of Centavo; msw 2.15, nock 14 and nock 15.0.0 have an older one, which Centavo passes by. Or pass `handlers(sim)` from `centavo/msw` to the MSW server that you already have.",
    find: ({ thrown }) => {
      if (thrown?.text.includes("copy of @mswjs/interceptors is active") !== true) return undefined;
      return {
        sentence: "a second copy of @mswjs/interceptors is active in this process, and two copies break each other",
        wayOut: "update to msw 3 or nock 15.0.6, or hand handlers(sim) from centavo/msw to your MSW server",
        weight: "explains",
      };
    },
  },
  {
    name: "strict-mock",
    looksAt: "whether the test's error says that MSW, nock or a `MockAgent` of undici refused a request to the service",
    explanation:
      'Another mock got the call first, and it refuses what it does not know. MSW from 2.12.10, nock 14 and nock 15.0.6 let Centavo answer first, so update yours. Or let it pass the service: in MSW 2 by the handler `http.all("https://api.pay.example/*", () => passthrough())`, in MSW 1 by `rest.all("https://api.pay.example/*", (request) => request.passthrough())`, with nock by `nock.enableNetConnect("api.pay.example")`, and with undici by `agent.enableNetConnect("api.pay.example")`. MSW 2.11 and later also takes `handlers(sim)`.',
    find: ({ thrown, baseUrl, authUrl, exchanges }) => {
      const { groups } = REFUSED_BY_A_MOCK.exec(thrown?.text ?? "") ?? {};
      if (groups === undefined) return undefined;
      const host = groups["nocked"] ?? groups["agent"];
      const own = [baseUrl, authUrl].map((url) => new URL(url).hostname);
      // MSW does not say which request it refused.
      if (host === undefined ? exchanges.length > 0 : !own.includes(host)) return undefined;
      const passing = `.enableNetConnect(${JSON.stringify(host)})`;
      const [tool, wayOut] =
        host === undefined
          ? ["MSW", "update MSW, hand it handlers(sim) from centavo/msw, or let it pass the service through"]
          : groups["nocked"] === undefined
            ? ["a MockAgent of undici", `let it pass the service: agent${passing}`]
            : ["nock", `update to nock 15.0.6, or let it pass the service: nock${passing}`];
      const to = host === undefined ? "" : ` to ${host}`;
      return { sentence: `${tool} refused a request${to} before Centavo saw it`, wayOut, weight: "explains" };
    },
  },
  {
    name: "misspelt-base-url",
    looksAt: "requests to a host that is nearly the base URL's",
    explanation:
      "The configuration of your app names another host than `createSimulator({ baseUrl })`. Compare the two, letter by letter.",
    find: (clues) => {
      const hosts = hostsOf(clues);
      for (const { url, host } of strayRequests(clues)) {
        const meant = nearest(host, hosts, MISSPELT);
        if (meant === undefined || meant === host) continue;
        return {
          sentence: `a request went to ${quoted(url)}, which is nearly the base URL ${baseOf(clues, meant)}`,
          wayOut: "correct the base URL in the configuration of your app, or createSimulator({ baseUrl })",
          weight: clues.said.includes(host) ? "explains" : "certain",
        };
      }
      return undefined;
    },
  },
  {
    name: "real-network",
    looksAt:
      "failed look-ups of the base URL's own host, and visits answered with 5xx or a failed `fetch` of a page, although nothing was intercepted and no call arrived",
    explanation:
      "The request left the test, because nothing intercepted it when it was made. Name `network` in the parameter of a `simulated` or `withSimulator` test, or call `intercept(sim)` before your app makes its first request. If `network.kind` is `fetch`, only `network.fetch` reaches the simulator: hand it to a client that uses the global `fetch`, or captured that when it was loaded. Jest is in this mode unless it runs with `NODE_OPTIONS=--experimental-vm-modules`. With that flag, naming `network` intercepts every client. In a browser, give `handlers(sim)` to `setupWorker` of MSW instead, which answers every `fetch` of the page.",
    find: (clues) => {
      const host = [...clues.said.matchAll(NOT_REACHED)].map(([, name = ""]) => name).find(isOwnHost(clues));
      const { wasIntercepted, session, exchanges, said } = clues;
      const { reachedBy } = session;
      const wayOut = wayInto(clues);
      if (host === undefined) {
        const page = failedVisit(clues);
        if (wasIntercepted || exchanges.length > 0) return undefined;
        if (said.includes(NO_MODULES)) {
          return {
            sentence: "Jest cannot load what intercepts requests, because that is an ES module",
            wayOut: `run Node with ${MODULES_FLAG}, or name \`network\` in the test's parameter and hand network.fetch to your app`,
            weight: "explains",
          };
        }
        const isOfPage = FAILED_IN_A_PAGE.test(said);
        const cannot = session.cannotInterceptIn !== undefined && clues.thrown?.isOurs !== true;
        if (page === undefined && !isOfPage && !cannot) return undefined;
        const failed = isOfPage ? "a fetch of the page failed" : "the test failed";
        return {
          sentence: `${page === undefined ? failed : `your app answered ${page}`}, and none of its requests has reached the simulator${isolationOf(session)}`,
          wayOut,
          weight: "likely",
        };
      }
      if (reachedBy !== undefined) {
        return {
          sentence: `a request to ${host} went to the real network: only a client that is given ${reachedBy} reaches the simulator here, and yours has captured another fetch, or has a fixed address`,
          wayOut,
          weight: "explains",
        };
      }
      const why = wasIntercepted
        ? "the request was made before intercept(sim), or after its network was closed"
        : "nothing intercepts it";
      return {
        sentence: `a request to ${host} went to the real network: ${why}`,
        wayOut,
        weight: "explains",
      };
    },
  },
  {
    name: "wrong-base-url",
    looksAt:
      "requests to the right host, at a path that the service does not have, to another host, at a path that it has, and to what is not an address",
    explanation:
      "The base URL of your app names another host, such as that of the production system, or has a path segment too many or too few, such as `/v1` or a second `/api`. The paths of the service begin right after the base URL.",
    find: ({ exchanges, of, baseUrl, said, thrown }) => {
      const [, unset] = NO_ADDRESS.exec(thrown?.isOurs === true ? "" : said) ?? [];
      if (unset !== undefined) {
        return {
          sentence: `your code asked for ${quoted(unset)}, which is not an address: its base URL is not set, or lacks https://`,
          wayOut: `set the base URL of your app to ${quoted(baseUrl)}`,
          weight: "explains",
        };
      }
      const lost = exchanges.findLast(
        ({ request, answer }) => request.route === undefined && meantStatus(answer) === 404,
      );
      const outside = of("refused").findLast(
        ({ volatile: { reason, baseUrl: meant } = {} }) => meant !== undefined || reason?.startsWith("only "),
      )?.volatile;
      if (lost === undefined && outside === undefined) return undefined;
      const call =
        lost === undefined ? `${outside?.method} ${outside?.url}` : `${lost.request.method} ${lost.request.path}`;
      return {
        sentence: `${quoted(call)} is not an endpoint of the service at ${quoted(baseUrl)}: the base URL of your app is wrong, or the path`,
        wayOut:
          lost === undefined && outside?.baseUrl !== undefined
            ? `set the base URL of your app to ${quoted(outside.baseUrl)}`
            : `compare both with the endpoints in ${SERVICE_PAGE}`,
        weight: /\b404\b|NOT_FOUND|nothing at this URL|Centavo refused|was refused: /.test(said)
          ? "explains"
          : "certain",
      };
    },
  },
  {
    name: "refused-host",
    looksAt: "requests to other hosts, which interception or `network.fetch` refused",
    explanation:
      'No request leaves the test by interception or by `network.fetch`, except to loopback addresses. Play the other service too (a second `intercept`, or MSW), let its host through: `intercept(sim, { allow: ["https://other.example"] })`, or, if your code ignores its answer as with telemetry, answer it with an empty 204: `{ drop: ["https://other.example"] }`. Both are options of the test too.',
    find: (clues) => {
      const hosts = hostsOf(clues);
      const refused = clues.of("refused").findLast(({ volatile }) => {
        const host = URL.parse(volatile?.url ?? "")?.hostname ?? "";
        return volatile?.baseUrl === undefined && nearest(host, hosts, MISSPELT) === undefined;
      })?.volatile;
      if (refused === undefined) return undefined;
      const { method = "", url = "" } = refused;
      const origin = URL.parse(url)?.origin ?? url;
      return {
        sentence: `${quoted(`${method} ${url}`)} was refused: it leads to a host that is not simulated`,
        wayOut: `allow the host with { allow: ["${origin}"] }, answer it with 204 by { drop: ["${origin}"] }, or simulate it`,
        weight:
          clues.said.includes(`Centavo refused ${method} ${url}`) ||
          clues.thrown?.codes.includes("SWALLOWED_ERRORS") === true
            ? "explains"
            : "certain",
      };
    },
  },
];

/** Says how the app's requests can reach the simulator. */
function wayInto({ session: { reachedBy, cannotInterceptIn }, baseUrl }: Clues): string {
  const naming = reachedBy === undefined ? "name `network` in the test's parameter, and " : "";
  if (cannotInterceptIn === "browser")
    return `${naming}hand network.fetch to your app, or give handlers(sim) from centavo/msw to setupWorker of MSW`;
  if (cannotInterceptIn === "commonjs")
    return `${naming}run Node with ${MODULES_FLAG}, or hand network.fetch to your app`;
  if (reachedBy !== undefined) return `configure your client with ${reachedBy}`;
  return `name \`network\` in the test's parameter, or call intercept(sim) before your app calls ${quoted(baseUrl)}`;
}

function isolationOf({ reachedBy, cannotInterceptIn }: Clues["session"]): string {
  if (reachedBy === undefined) return ", because nothing intercepts them";
  const why = cannotInterceptIn !== undefined ? "interception is not possible here, and " : "";
  return `: ${why}only a client that is given ${reachedBy} does`;
}

function hostsOf({ baseUrl, authUrl }: Clues): readonly string[] {
  return [...new Set([new URL(baseUrl).hostname, new URL(authUrl).hostname])];
}

function isOwnHost(clues: Clues): (host: string) => boolean {
  const hosts = hostsOf(clues);
  return (host) => hosts.includes(host);
}

function baseOf({ baseUrl, authUrl }: Clues, host: string): string {
  return new URL(baseUrl).hostname === host ? baseUrl : authUrl;
}

/** Requests that went elsewhere: refused requests by URL, failed look-ups by host. */
function strayRequests({ of, said }: Clues): readonly { readonly url: string; readonly host: string }[] {
  const refused = of("refused").map(({ volatile }) => volatile?.url ?? "");
  const lookedUp = [...said.matchAll(NOT_REACHED)].map(([, host = ""]) => host);
  return [
    ...refused.map((url) => ({ url, host: URL.parse(url)?.hostname ?? "" })),
    ...lookedUp.map((host) => ({ url: host, host })),
  ].filter(({ host }) => host !== "");
}
