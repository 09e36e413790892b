import { HostList } from "../kit/base/runtime/host-list.ts";
import { isLoopback } from "../kit/base/runtime/loopback.ts";
import type { SimulatorServer } from "../server/serve.ts";
import type { ClockOption } from "../simulator/simulator-options.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { authPathsUnder } from "../service/wire/paths.ts";
import { tokenCall } from "../service/wire/token-call.ts";
import type { TokenCallForm } from "../service/wire/token-call.ts";

/** What a server tells when it has started. */
export interface Started {
  readonly server: Pick<SimulatorServer, "url" | "controlUrl" | "token" | "inspectorUrl">;
  readonly sim: Pick<Simulator, "baseUrl" | "authUrl" | "clock" | "credentials" | "internals" | "seed">;
  readonly clock: ClockOption;
  readonly keep: number;
  readonly webhookUrl: string | undefined;
  /** The hosts besides this machine that get events. */
  readonly webhookHosts: readonly string[];
  /** The title of the story that was played. */
  readonly story: string | undefined;
  /** The file that outlives the server. */
  readonly state: string | undefined;
}

/** Returns what curl takes to ask for a token, as the service takes it (`auth.token-request`). */
function tokenArguments(form: TokenCallForm, clientId: string, clientSecret: string): string {
  const fields = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
  const { headers, body } = tokenCall(form, fields);
  const sent = form.format === "json" ? [`'${body}'`] : body.split("&");
  const { authorization, "content-type": type } = headers;
  return [
    ...(authorization === undefined ? [] : [`-H 'authorization: ${authorization}'`]),
    ...(form.format === "json" ? [`-H 'content-type: ${type}'`] : []),
    ...sent.map((part) => `-d ${part}`),
  ].join(" ");
}

type Credentials = Pick<Simulator["credentials"], "clientId" | "clientSecret" | "adminKey" | "webhookSecret">;

/** Says it in one line of JSON, for scripts. */
export function asJson({ server, sim, webhookUrl }: Started): string {
  const { url, controlUrl, token } = server;
  const { baseUrl, authUrl, credentials, seed, clock } = sim;
  const now = clock.now();
  const inspector = server.inspectorUrl();
  return JSON.stringify({
    url,
    baseUrl,
    authUrl,
    credentials,
    controlUrl,
    controlToken: token,
    inspector,
    seed,
    now,
    webhookUrl,
  });
}

/** Says it in words. */
export function inSentences({ server, sim, clock, keep, webhookUrl, webhookHosts, story, state }: Started): string {
  const { clientId, clientSecret } = sim.credentials;
  const { overrides } = sim.internals.parts.assumptions;
  const { token: tokenPath } = authPathsUnder(overrides);
  return [
    `Centavo answers at ${server.url}`,
    "",
    `  base URL        ${sim.baseUrl}`,
    `  auth URL        ${sim.authUrl} (tokens: POST ${tokenPath})`,
    ...credentialsInWords(sim.credentials),
    `  control API     ${server.controlUrl}`,
    `  control token   ${server.token}`,
    `  seed            ${sim.seed} (--seed ${sim.seed} gives the same ids and secrets again)`,
    "",
    `Inspector  ${server.inspectorUrl()}`,
    "",
    `A token:  curl ${tokenArguments(overrides["auth.token-request"] ?? {}, clientId, clientSecret)} ${server.url}${tokenPath}`,
    "",
    ...(story === undefined ? [] : [`Played: ${story}`]),
    `Virtual time is ${sim.clock.now()}; ${howTimeMoves(clock)}.`,
    `The server keeps the newest ${keep} journal entries, requests, finished payments and events.`,
    ...whereEventsGo(webhookUrl, webhookHosts),
    `These credentials are fakes that work only with this server. Press Ctrl+C to stop it; ${whatStays(state)}.`,
  ].join("\n");
}

/** Returns a line for each id and secret that a merchant is configured with. */
export function credentialsInWords({ clientId, clientSecret, adminKey, webhookSecret }: Credentials): string[] {
  return [
    `  client id       ${clientId}`,
    `  client secret   ${clientSecret}`,
    `  admin key       ${adminKey}`,
    `  webhook secret  ${webhookSecret}`,
  ];
}

function whatStays(state: string | undefined): string {
  return state === undefined ? "its data is then gone" : `--state ${state} then starts it again where it was`;
}

/** Explains a server's clock. */
function howTimeMoves(clock: ClockOption): string {
  const more = "the control API moves it further";
  if (clock === "manual") return "it stands until the control API moves it";
  if (clock === "real") return `it follows real time, and ${more}`;
  return typeof clock === "object" && "real" in clock
    ? `it follows real time ${clock.real} times as fast, and ${more}`
    : `after each request it skips to whatever is due within 10 s, and ${more}`;
}

/** Says where events go. The server sends them by real HTTP, and only to this machine and to hosts that were named. */
function whereEventsGo(webhookUrl: string | undefined, hosts: readonly string[]): string[] {
  const named = hosts.length === 0 ? "" : `, and to ${hosts.join(", ")}`;
  const rule = `The server sends events by real HTTP to receivers on this machine (localhost, 127.0.0.1, [::1])${named}. It sends nothing to any other host: an event for one fails as not-connected and is tried again.`;
  if (webhookUrl === undefined) return [`Events go to the webhookUrl of their resource or merchant. ${rule}`];
  const others = `Events go to ${webhookUrl}, unless their resource or merchant has a webhookUrl. ${rule}`;
  const address = new URL(webhookUrl);
  return isLoopback(address.hostname) || new HostList("allowedWebhookHosts", hosts).has(address)
    ? [others]
    : [
        others,
        `Warning: ${webhookUrl} is not on this machine, so its events will not arrive. Give a URL on localhost, or name its host with --allow-webhooks-to.`,
      ];
}
