import { resolve } from "node:path";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { shownAddress } from "../kit/base/redaction/address.ts";
import { realTime } from "../kit/base/runtime/real-time.ts";
import { forward } from "../traffic/forward.ts";
import type { ForwardingServer } from "../traffic/forward.ts";
import { Recorder } from "../traffic/recorder.ts";
import { exitCodes } from "./exit-codes.ts";
import { listeningProblem } from "./listening-problem.ts";
import { styled } from "./output.ts";
import type { ProgramContext } from "./program.ts";

/** The options of `centavo record`. */
export interface RecordCommandOptions {
  readonly to: string;
  readonly authTo?: string;
  readonly deliverTo?: string;
  readonly port: number;
  readonly authPort?: number;
  readonly deliveriesPort?: number;
  readonly host: string;
  readonly file: string;
  readonly redact?: readonly string[];
  readonly quiet?: boolean;
  readonly json?: boolean;
}

/** One of the addresses at which the command listens. */
interface Place {
  /** Its name in what `--json` prints. */
  readonly name: string;
  /** The option that gives its port. */
  readonly portOption: string;
  /** The option that says where it leads. */
  readonly option: string;
  readonly what: string;
  readonly kind: "call" | "delivery";
  readonly to: URL;
  readonly port: number;
}

/** Where a server listens. */
interface Address {
  readonly place: Place;
  readonly url: string;
}

/** An address for messages. */
const SANDBOX = "https://sandbox.pay.example";
/** How long the calls under way may take, in milliseconds. */
const LONGEST_STOP = 10_000;

/** Forwards and records until a signal stops it. */
export async function recordTraffic(options: RecordCommandOptions, context: ProgramContext): Promise<void> {
  const { output } = context;
  const { json = false, quiet = json } = options;
  // A script may stop the command as soon as it has read the greeting.
  const stopped = context.stopped();
  const places = placesOf(options);
  let begun: Recorder | undefined;
  // What listens nowhere must not empty the file of an earlier recording.
  const recorderOf = (): Recorder =>
    (begun ??= new Recorder("centavo record --file", resolve(context.directory, options.file), options.redact));
  const servers: ForwardingServer[] = [];
  try {
    for (const place of places) servers.push(await open(place, options, recorderOf, quiet ? undefined : output));
    recorderOf();
  } catch (error) {
    await Promise.all(servers.map((server) => server.close(0)));
    begun?.close();
    throw error;
  }
  const recorder = recorderOf();
  const addresses = places.map((place, index): Address => ({ place, url: servers[index]?.url ?? "" }));
  output.print(json ? asJson(addresses, options.file) : inSentences(addresses, options.file));
  await stopped;
  void context.stopped().then((signal) => context.end(128 + signal));
  if (!json) output.print("Stopping. Ctrl+C again ends it at once.");
  const end = realTime() + LONGEST_STOP;
  const answered = await Promise.all(servers.map((server) => server.close(Math.max(0, end - realTime()))));
  recorder.close();
  const isWhole = answered.every(Boolean);
  if (!isWhole) output.printError(styled(output, "red", "Stopped, but a call had no answer."));
  else if (!json)
    output.print(`${recorder.count === 1 ? "1 exchange is" : `${recorder.count} exchanges are`} in ${options.file}.`);
  context.end(isWhole ? exitCodes.passed : exitCodes.unfinished);
}

function placesOf(options: RecordCommandOptions): readonly Place[] {
  const { to, authTo, deliverTo, port, authPort = nextTo(port, 1), deliveriesPort = nextTo(port, 2) } = options;
  const places: Place[] = [
    {
      name: "url",
      portOption: "--port",
      option: "--to",
      what: "Calls to",
      kind: "call",
      to: urlIn("--to", to, SANDBOX),
      port,
    },
  ];
  if (authTo !== undefined) {
    places.push({
      name: "authUrl",
      portOption: "--auth-port",
      option: "--auth-to",
      what: "Calls to",
      kind: "call",
      to: urlIn("--auth-to", authTo, SANDBOX),
      port: authPort,
    });
  }
  if (deliverTo !== undefined) {
    places.push({
      name: "deliveriesUrl",
      portOption: "--deliveries-port",
      option: "--deliver-to",
      what: "Deliveries to",
      kind: "delivery",
      to: urlIn("--deliver-to", deliverTo, "http://127.0.0.1:3000, the merchant"),
      port: deliveriesPort,
    });
  }
  refuseCircle(places, options.host);
  return places;
}

/** @throws {CentavoError} `INVALID_URL` for what would come back to the command */
function refuseCircle(places: readonly Place[], host: string): void {
  const own = new Set([host, "127.0.0.1", "localhost", "[::1]", "0.0.0.0"]);
  const ports = new Set(places.map(({ port }) => port));
  for (const { option, kind, to } of places) {
    const port = Number(to.port || (to.protocol === "https:" ? "443" : "80"));
    if (!own.has(to.hostname) || !ports.has(port)) continue;
    throw new CentavoError(
      "INVALID_URL",
      `${option} is the address at which this command listens. Give the URL of the ${kind === "call" ? "sandbox" : "merchant"}.`,
    );
  }
}

function nextTo(port: number, offset: number): number {
  return port === 0 ? 0 : port + offset;
}

function urlIn(option: string, text: string, example: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CentavoError(
      "INVALID_URL",
      `${option} is ${inWords(shownAddress(text))}. It takes an http(s) URL, such as ${example}.`,
    );
  const part = partNotSent(url);
  if (part === undefined) return url;
  throw new CentavoError(
    "INVALID_URL",
    `${option} is ${inWords(shownAddress(text))}, with ${part}, which would not be sent. Leave it out: only the origin and the path come before what is called.`,
  );
}

function partNotSent({ username, password, search, hash }: URL): string | undefined {
  if (username !== "" || password !== "") return "a user name or a password";
  if (search !== "") return "a query";
  return hash === "" ? undefined : "a fragment";
}

async function open(
  { to, kind, port, portOption }: Place,
  { host: hostname }: RecordCommandOptions,
  recorder: () => Recorder,
  output: ProgramContext["output"] | undefined,
): Promise<ForwardingServer> {
  const onExchange = (method: string, url: string, outcome: string): void =>
    output?.print(
      `${kind === "delivery" ? "delivery " : ""}${method} ${shownAddress(recorder().url(url))}: ${outcome}`,
    );
  try {
    return await forward({ to, kind, port, hostname, onExchange }, { begin: (request) => recorder().begin(request) });
  } catch (error) {
    throw listeningProblem(
      error,
      { port, hostname },
      `Choose another with ${portOption}, or ${portOption} 0 for any free port.`,
    );
  }
}

function asJson(addresses: readonly Address[], file: string): string {
  return JSON.stringify({ ...Object.fromEntries(addresses.map(({ place: { name }, url }) => [name, url])), file });
}

function inSentences(addresses: readonly Address[], file: string): string {
  const lines = addresses.map(
    ({ place: { what, to }, url }) => `  ${what} ${shownAddress(to.href)} are taken at ${url}`,
  );
  return [`Recording into ${file}:`, ...lines, "Ctrl+C stops it."].join("\n");
}
