import { randomBytes } from "node:crypto";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { checkOverrides } from "../kit/assumptions/assumptions.ts";
import { DeliveryByHand } from "../merchant/deliveries/delivery-by-hand.ts";
import { eventSubjects } from "../fixtures/event.ts";
import { canBeKey } from "../kit/webhooks/signatures/signature.ts";
import { assumptionTable } from "../service/assumption-table.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { assumptionsIn } from "./assumptions-file.ts";
import { exitCodes } from "./exit-codes.ts";
import { fieldsIn } from "./json-file.ts";
import { jsonDocument, jsonOfError } from "./json-output.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";
import type { ProgramContext } from "./program.ts";
import { deliver, plannedDeliveries } from "./trigger-deliveries.ts";
import type { MadeDelivery, Manner } from "./trigger-deliveries.ts";
import { checkedDecline, checkedType, happen, listedEvents } from "./trigger-events.ts";
import type { Circumstances, Happened, Wanted } from "./trigger-events.ts";
import { fieldsFor } from "./trigger-fields.ts";
import type { GivenFields } from "./trigger-fields.ts";
import { isOutOfReach, realSender, receiverAddress } from "./trigger-http.ts";
import {
  asDocument,
  deliveryInWords,
  listInWords,
  requestInWords,
  safeText,
  shownRequest,
  summaryOf,
} from "./trigger-output.ts";
import type { ShownRequest } from "./trigger-output.ts";

/** The environment variable of the secret, which a shell does not keep in its history. */
const SECRET_VARIABLE = "CENTAVO_WEBHOOK_SECRET";

/** The options of `centavo trigger`. */
export interface TriggerOptions extends Manner, Omit<GivenFields, "data"> {
  readonly to?: string;
  readonly secret?: string;
  readonly list?: boolean;
  readonly dryRun?: boolean;
  readonly repeat?: number;
  readonly seed?: string;
  readonly now?: string;
  readonly id?: string;
  readonly decline?: string;
  /** The path of a JSON file with fields. */
  readonly data?: string;
  readonly assumptions?: string;
  readonly assumption?: Readonly<Record<string, unknown>>;
  /** In seconds of real time. */
  readonly timeout?: number;
  readonly json?: boolean;
}

const DEFAULT_TIMEOUT = 10;
/** Where a dry run shows its requests to go, unless `--to` says. */
const USUAL_RECEIVER = "http://localhost:3000/webhooks";

/** A problem in the words of the command line. */
function refused(what: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `centavo trigger: ${what}.`);
}

/** Sends an event, and asks `context` to exit with what its receiver made of it. */
export async function trigger(
  type: string | undefined,
  options: TriggerOptions,
  context: ProgramContext,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<void> {
  try {
    await triggerEvent(type, options, context, environment);
  } catch (error) {
    if (options.json !== true || !(error instanceof CentavoError)) throw error;
    context.output.print(jsonOfError(error));
    context.exit(exitCodes.couldNotRun);
  }
}

async function triggerEvent(
  type: string | undefined,
  options: TriggerOptions,
  context: ProgramContext,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const { output, directory } = context;
  if (options.list === true) {
    const listed = await listedEvents(circumstancesOf(options, USUAL_RECEIVER, "", directory));
    output.print(options.json === true ? jsonDocument(exitCodes.passed, { events: listed }) : listInWords(listed));
    return;
  }
  if (type === undefined) throw refused("name the event, such as subscription.past_due; --list says what there is");
  const event = checkedType(type);
  const given = options.to ?? (options.dryRun === true ? USUAL_RECEIVER : undefined);
  if (given === undefined)
    throw refused(`--to is missing: the address of your webhook handler, such as ${USUAL_RECEIVER}`);
  const to = receiverAddress("--to", given).href;
  const secret = secretIn(options, environment);
  const circumstances = circumstancesOf(options, to, secret, directory);
  const { data, id, decline, repeat = 1 } = options;
  const fields = fieldsFor(eventSubjects[event].fixture, {
    ...options,
    data: data === undefined ? {} : fieldsIn(data, directory),
  });
  const wanted = {
    type: event,
    fields,
    ...(id !== undefined && { id }),
    ...(decline !== undefined && { decline: checkedDecline(event, decline) }),
  };
  const happenings = repeated(wanted, circumstances, repeat);
  if (options.dryRun === true) await show(happenings, options, output);
  else await send(happenings, { ...options, to, secret, repeat, event, circumstances }, context);
}

/** Lets an event happen again and again, each time in a world of its own with other ids. */
async function* repeated(wanted: Wanted, circumstances: Circumstances, times: number): AsyncGenerator<Happened> {
  for (let time = 1; time <= times; time += 1) {
    const seed = time === 1 ? circumstances.seed : `${circumstances.seed}/${time}`;
    const happened = await happen(wanted, { ...circumstances, seed });
    try {
      const { scheme } = new DeliveryByHand(happened.sim).signing;
      if (!canBeKey(scheme, circumstances.secret))
        throw refused(
          `the webhook secret is not base64, with or without whsec_ before it, as the scheme ${scheme} takes it`,
        );
      yield happened;
    } finally {
      await happened.sim.close();
    }
  }
}

async function show(happenings: AsyncIterable<Happened>, options: TriggerOptions, output: Output): Promise<void> {
  const requests: ShownRequest[] = [];
  for await (const happened of happenings)
    for (const each of plannedDeliveries(happened, options).flat()) {
      const request = await shownRequest(each);
      if (options.json === true) requests.push(request);
      else output.print(requestInWords(request));
    }
  if (options.json === true) output.print(jsonDocument(exitCodes.passed, { requests }));
}

interface Sending extends TriggerOptions {
  readonly to: string;
  readonly secret: string;
  readonly repeat: number;
  readonly event: string;
  readonly circumstances: Circumstances;
}

/** Makes the deliveries, one group after the other, until a receiver is out of reach or a signal comes. */
async function send(happenings: AsyncIterable<Happened>, options: Sending, context: ProgramContext): Promise<void> {
  const { output } = context;
  const { to, secret, repeat, event, json, timeout = DEFAULT_TIMEOUT } = options;
  const { seed, now } = options.circumstances;
  const deliveries: MadeDelivery[] = [];
  const explained = new Set<string>();
  const sender = realSender(1000 * timeout);
  const stopped = context.stopped();
  let planned = 0;
  const print = (text: string): void => {
    if (json !== true) output.print(text);
  };
  const end = (exitCode: number, problem?: string): void => {
    const triggered = { event, to, seed, now, deliveries, planned, exitCode, problem };
    if (json === true) output.print(asDocument(triggered, secret));
    if (json !== true && problem !== undefined) output.printError(styled(output, "red", problem));
    print(`\n${styled(output, exitCode === exitCodes.passed ? "green" : "red", summaryOf(triggered))}`);
    context.end(exitCode);
  };

  for await (const happened of happenings) {
    const groups = plannedDeliveries(happened, options);
    if (planned === 0) {
      planned = groups.flat().length * repeat;
      const count = planned === 1 ? "1 delivery" : `${planned} deliveries`;
      print(`${event} to ${safeText(to, secret)}, by ${count} (the same again: --seed ${seed} --now ${now})\n`);
    }
    for (const group of groups) {
      const made = await Promise.race([deliver(group, sender), stopped]);
      if (typeof made === "number") return end(128 + made, "Interrupted.");
      const unreached = made.flatMap(({ answer }) => (isOutOfReach(answer) ? answer : []))[0];
      if (unreached !== undefined) return end(exitCodes.couldNotRun, unreached.message);
      deliveries.push(...made);
      for (const each of made) print(deliveryInWords(output, each, secret, explained));
    }
  }
  return end(deliveries.some(({ verdict }) => verdict !== undefined) ? exitCodes.failed : exitCodes.passed);
}

function circumstancesOf(options: TriggerOptions, to: string, secret: string, directory: string): Circumstances {
  const { seed = randomBytes(6).toString("hex"), now = new Date().toISOString(), assumptions, assumption } = options;
  if (Number.isNaN(Date.parse(now)))
    throw refused(`--now is "${now}", and takes a moment in ISO 8601, such as 2026-02-01T00:00:00Z`);
  const overrides = {
    ...(assumptions !== undefined && assumptionsIn(assumptions, directory)),
    ...assumption,
  } as AssumptionOverrides;
  checkOverrides(assumptionTable, overrides, "--assumption");
  return { seed, now: new Date(now).toISOString(), assumptions: overrides, to, secret };
}

/** @throws {CentavoError} `INVALID_OPTION` without a secret */
function secretIn({ secret }: TriggerOptions, environment: Readonly<Record<string, string | undefined>>): string {
  const found = secret ?? environment[SECRET_VARIABLE];
  if (found === undefined || found === "")
    throw refused(
      `the webhook secret is ${found === "" ? "empty" : "missing"}. Put the one that your shop verifies with into the environment variable ${SECRET_VARIABLE}, or give it with --secret`,
    );
  return found;
}
