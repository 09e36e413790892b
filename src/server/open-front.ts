import { answeringFor } from "../adapters/server.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { shownAddress } from "../kit/base/redaction/address.ts";
import { HostList } from "../kit/base/runtime/host-list.ts";
import type { Service } from "../kit/http/callable-service.ts";
import { isSimulator } from "../simulator/shown.ts";
import { controlToken } from "./control-token.ts";
import { Front } from "./front.ts";
import { Gate } from "./gate.ts";
import { HostedWorlds } from "./hosted-worlds.ts";
import { Access } from "./inspector/access.ts";
import { Inspector } from "./inspector/inspector.ts";
import { Sessions } from "./inspector/sessions.ts";
import { Origins } from "./origins.ts";
import type { ServeOptions } from "./serve-options.ts";
import type { State } from "./state/state.ts";
import { checkLimits } from "./world-limits.ts";

/** What answers behind a socket, and what it is made of. */
export interface OpenedFront {
  readonly front: Front;
  readonly worlds: HostedWorlds;
  readonly token: string;
  readonly inspector: Inspector;
}

/**
 * Opens what answers for a service and its worlds.
 * @param url the address of the socket
 * @param state where its worlds outlive it, if they do
 * @throws {CentavoError} `INVALID_OPTION`
 */
export function openFront(service: Service, url: string, options: ServeOptions, state?: State): OpenedFront {
  const { hostname, allowedHosts = [], allowedOrigins = [], allowedWebhookHosts = [] } = options;
  const baseUrl = baseUrlIn(options, service.baseUrl);
  const ownHosts = [hostname, baseUrl === undefined ? undefined : new URL(baseUrl).host];
  const given = new HostList("allowedHosts", allowedHosts);
  const own = new HostList(
    "hostname",
    ownHosts.filter((name) => name !== undefined),
  );
  const webhookHosts = new HostList("allowedWebhookHosts", allowedWebhookHosts);
  const origins = new Origins(allowedOrigins, baseUrl);
  const limits = checkLimits(options.worlds);
  const token = controlToken(options);
  const sim = isSimulator(service) ? service : undefined;
  sim?.internals.connections.alsoReach(webhookHosts);
  const worlds = new HostedWorlds({ url: baseUrl ?? url, seed: sim?.seed, limits, webhookHosts, state });
  const main = { sim, service, answering: answeringFor(service), ...(baseUrl !== undefined && { baseUrl }) };
  const gate = new Gate({ allowedHosts: [given, own], token });
  const sessions = new Sessions(url, baseUrl?.startsWith("https:") === true);
  const access = new Access(gate, origins, sessions);
  const inspector = new Inspector({ main, worlds, access, sessions, url: baseUrl ?? url });
  const front = new Front(main, worlds, { gate, origins, access }, inspector);
  return { front, worlds, token, inspector };
}

/** @param own the base URL of the simulator, which finds its paths below that one, or directly below any other origin */
function baseUrlIn({ baseUrl }: ServeOptions, own: string): string | undefined {
  if (baseUrl === undefined) return undefined;
  const address = URL.parse(baseUrl);
  if (address === null || !/^https?:$/.test(address.protocol) || /[?#@]/.test(address.href))
    throw refused(
      baseUrl,
      'is none. It takes the address by which clients reach the server, such as "https://pay.example"',
    );
  const url = address.href.replace(/\/$/, "");
  if (url === own || address.pathname === "/") return url;
  throw refused(
    url,
    "has a path, and the simulator has another base URL. Give createSimulator the same baseUrl, or serve it under an address without a path",
  );
}

function refused(baseUrl: string, why: string): CentavoError {
  return new CentavoError(
    "INVALID_OPTION",
    `serve: the option baseUrl ${JSON.stringify(shownAddress(baseUrl))} ${why}.`,
  );
}
