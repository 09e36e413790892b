import { once } from "node:events";
import { connect, createServer } from "node:net";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { realTime, startTimer } from "../kit/base/runtime/real-time.ts";
import { shownAddress } from "../kit/base/redaction/address.ts";
import { createSimulator } from "../report/create-simulator.ts";
import type { RunningMerchant } from "../scenario/running-merchant.ts";
import { inGivenNames } from "./given-names.ts";
import { credentialsInWords } from "./greeting.ts";
import { credentialsIn } from "./json-file.ts";
import type { MerchantOptions } from "./merchant-options.ts";
import { listeningProblem } from "./listening-problem.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { authPathsUnder } from "../service/wire/paths.ts";

const DEFAULT_PORT = 4010;
const BETWEEN_TRIES = 100;
/** How long a try may take, in milliseconds. */
const LONGEST_TRY = 2000;

/**
 * Reads the options, and checks that the service can listen there.
 * @throws {CentavoError} `INVALID_OPTION`, or `INVALID_URL`
 */
export async function merchantOf(
  options: MerchantOptions & { readonly merchant: string },
  directory: string,
): Promise<RunningMerchant> {
  const { merchant, port = DEFAULT_PORT, host: hostname = "127.0.0.1", credentials, webhookPath } = options;
  const url = originOf(merchant);
  if (port === 0)
    throw refused("--port 0 is any free port, which no merchant can be configured with before it starts. Name one");
  if (webhookPath !== undefined && !/^\/(?!\/)/.test(webhookPath))
    throw refused(`--webhook-path is ${inWords(webhookPath)}, and takes a path, such as /webhooks`);
  const baseUrl = options.baseUrl ?? `http://${inUrl(hostname)}:${port}`;
  const given = credentials === undefined ? {} : credentialsIn(credentials, directory);
  let sim;
  try {
    sim = createSimulator({ baseUrl, credentials: given });
  } catch (error) {
    throw inGivenNames(error, { baseUrl, credentials });
  }
  await sim.close();
  await checkFree(port, hostname);
  return { url, port, hostname, baseUrl: sim.baseUrl, credentials: sim.credentials, webhookPath, tokens: [] };
}

function originOf(merchant: string): string {
  const url = URL.parse(merchant);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`;
  if (isOrigin) return url.origin;
  throw new CentavoError(
    "INVALID_URL",
    `--merchant: ${inWords(shownAddress(merchant))} is not the origin of a shop. It takes an http or https address without a path, such as http://localhost:3000.`,
  );
}

function inUrl(hostname: string): string {
  const own = hostname === "0.0.0.0" ? "127.0.0.1" : hostname === "::" ? "::1" : hostname;
  return own.includes(":") ? `[${own}]` : own;
}

async function checkFree(port: number, hostname: string): Promise<void> {
  const server = createServer().listen(port, hostname);
  try {
    await once(server, "listening");
  } catch (error) {
    throw listeningProblem(error, { port, hostname }, "Use another --port, and configure the merchant with it.");
  }
  server.close();
  await once(server, "close");
}

/** Says how to configure the merchant, and what the run does with it. */
export function configurationInWords(
  { url, baseUrl, credentials, webhookPath }: RunningMerchant,
  seed: string,
  assumptions: AssumptionOverrides,
): string {
  const hooks = webhookPath === undefined ? "" : `, or else to ${url}${webhookPath}`;
  return [
    `The stories are played against the merchant at ${url}. It has to be configured with`,
    "",
    `  base URL        ${baseUrl}`,
    `  auth URL        ${baseUrl} (tokens: POST ${authPathsUnder(assumptions).token})`,
    ...credentialsInWords(credentials as Parameters<typeof credentialsInWords>[0]),
    "",
    `Events go to the webhookUrl that the merchant names${hooks}. The service answers only while a story is played.`,
    "The stories move the clock of the service. The merchant's own clock does not move: its timers and jobs keep real time.",
    `Ids are drawn from --seed ${seed}; the credentials stay the same in every run.`,
    "",
  ].join("\n");
}

/**
 * Waits until a merchant listens.
 * @param isStopped whether to give up
 * @throws {CentavoError} `NOT_CONNECTED`
 */
export async function untilListening(
  { url }: RunningMerchant,
  seconds: number,
  isStopped: () => boolean,
): Promise<void> {
  const begin = realTime();
  while (!(await listens(url))) {
    if (isStopped()) return;
    if (realTime() - begin >= 1000 * seconds) {
      const waited = seconds === 0 ? "" : ` within ${seconds} s`;
      throw new CentavoError(
        "NOT_CONNECTED",
        `Nothing listens at ${url}${waited}. Start your shop with the configuration above, and then run this again; --wait <seconds> waits for it.`,
      );
    }
    await new Promise<void>((resolve) => void startTimer(BETWEEN_TRIES, resolve));
  }
}

async function listens(url: string): Promise<boolean> {
  const { hostname, port, protocol } = new URL(url);
  const socket = connect({
    host: hostname.replaceAll(/[[\]]/g, ""),
    port: Number(port) || (protocol === "https:" ? 443 : 80),
  });
  socket.setTimeout(LONGEST_TRY, () => socket.destroy(new Error("no answer")));
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

function refused(what: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `centavo run: ${what}.`);
}
