import { eventSubjects } from "../fixtures/event.ts";
import { fixtures } from "../fixtures/fixtures.ts";
import { unknownName } from "../kit/base/errors/known-names.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { DeliveryByHand } from "../merchant/deliveries/delivery-by-hand.ts";
import type { PaymentEvent } from "../merchant/deliveries/order-payment.ts";
import { createSimulator } from "../report/create-simulator.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { declineCodes } from "../service/decline-codes.ts";
import type { DeclineCode } from "../service/decline-codes.ts";
import type { EventType } from "../simulator/payment-service.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { Fields } from "./trigger-fields.ts";

/** An event that is to happen. */
export interface Wanted {
  readonly type: EventType;
  readonly fields: Fields;
  /** The code of the decline that leads there, if one does. */
  readonly decline?: string;
  /** The merchant's own id of the payment, session or subscription, which replaces the one that was drawn. */
  readonly id?: string;
}

/** Where and when it happens. */
export interface Circumstances {
  readonly seed: string;
  /** When it has happened, in ISO 8601. What takes a month began a month before. */
  readonly now: string;
  readonly assumptions: AssumptionOverrides;
  readonly to: string;
  readonly secret: string;
}

/** What has happened. */
export interface Happened {
  readonly sim: Simulator;
  /** The events that lead to the wanted one, in their true order, and that one last. */
  readonly events: readonly PaymentEvent[];
}

/** The event types, as the service declares them. */
const triggerTypes = Object.keys(eventSubjects) as readonly EventType[];

/** How often the beginning is corrected, because months differ in length. */
const MOST_CORRECTIONS = 4;

/** @throws {CentavoError} `NOT_FOUND` with the nearest type */
export function checkedType(type: string): EventType {
  const complaint = unknownName("the event", type, triggerTypes);
  if (complaint === undefined) return type as EventType;
  throw new CentavoError("NOT_FOUND", `centavo trigger: ${complaint}. centavo trigger --list says what each tells.`);
}

/**
 * Checks the decline that `--decline` names for an event.
 * @throws {CentavoError} `INVALID_OPTION` with the declines that lead to the event, or the events that tell of one
 */
export function checkedDecline(type: EventType, decline: string): string {
  const unreachable = unreachableBy(type);
  if (unreachable === undefined) {
    const others = triggerTypes.filter((each) => unreachableBy(each) !== undefined).join(", ");
    throw refused(`${type} tells of no decline, so --decline cannot be given. It can with ${others}`);
  }
  const why = Object.hasOwn(unreachable, decline) ? unreachable[decline as DeclineCode] : undefined;
  if (why !== undefined) throw refused(`${type} cannot happen by --decline ${decline}: ${why}`);
  const reachable = declineCodes.filter((code) => !Object.hasOwn(unreachable, code));
  const complaint = unknownName("--decline", decline, reachable);
  if (complaint !== undefined) throw refused(complaint);
  return decline;
}

/** The declines that cannot lead to an event, each with the reason; undefined where the event tells of no decline. */
function unreachableBy(type: EventType): Readonly<Partial<Record<DeclineCode, string>>> | undefined {
  const { fixture, status } = eventSubjects[type];
  const table = fixture.declined ?? {};
  return Object.hasOwn(table, status) ? table[status] : undefined;
}

function refused(what: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `centavo trigger: ${what}.`);
}

/**
 * Lets an event really happen, in a world of its own: a merchant calls the service, a customer pays, and time passes.
 * @throws {CentavoError} `INVALID_OPTION` for what the service refuses
 */
export async function happen(wanted: Wanted, circumstances: Circumstances): Promise<Happened> {
  const end = Date.parse(circumstances.now);
  let start = circumstances.now;
  let best: Simulator | undefined;
  for (let corrections = 0; ; corrections += 1) {
    const { seed, assumptions } = circumstances;
    const sim = createSimulator({ seed, now: start, assumptions });
    await make(sim, wanted);
    const late = Date.parse(sim.clock.now()) - end;
    const isLast = late === 0 || corrections === MOST_CORRECTIONS;
    // The nearest end that is not in the future.
    if (late <= 0 || best === undefined) {
      await best?.close();
      best = sim;
    } else await sim.close();
    if (isLast) break;
    start = new Date(Date.parse(start) - late).toISOString();
  }
  return { sim: best, events: eventsOf(best, wanted, circumstances) };
}

async function make(sim: Simulator, { type, fields, decline }: Wanted): Promise<void> {
  const its = fixtures(sim);
  const { plan, planId, contact, ...others } = fields as Fields & { plan?: object; contact?: object };
  const { name, email, phone } = its.contact();
  await its.event(type, {
    ...others,
    ...(contact !== undefined && { contact: { name, email, phone, contact: phone, ...contact } }),
    ...((plan !== undefined || planId !== undefined) && { planId: (await its.plan(plan)).id }),
    ...(decline !== undefined && { decline }),
  });
}

function eventsOf(
  sim: Simulator,
  { type, fields, id }: Wanted,
  { to: url, secret }: Circumstances,
): readonly PaymentEvent[] {
  const byHand = new DeliveryByHand(sim);
  const happened = byHand.events();
  const until = happened.slice(0, happened.findLastIndex((event) => event.type === type) + 1);
  const own = new Map<unknown, unknown>();
  if (id !== undefined) own.set(subjectOf(byHand.read(until.at(-1)?.body ?? "{}")), id);
  const { planId } = fields;
  const plan = sim.plans.list()[0]?.id;
  if (planId !== undefined && plan !== undefined) own.set(plan, planId);
  const written = (text: string): string => (own.size === 0 ? text : byHand.write(replaced(byHand.read(text), own)));
  return until.map((event) => ({ id: event.id, type: event.type, url, secret, text: written(event.body) }));
}

/** Returns a copy of an event with other values. */
function replaced(event: object, by: ReadonlyMap<unknown, unknown>): object {
  return JSON.parse(JSON.stringify(event), (_key, value: unknown) => (by.has(value) ? by.get(value) : value)) as object;
}

/** Returns the id of what an event is about: that of the intent or the subscription, or the token of the session. */
function subjectOf(event: object): string | undefined {
  const { data, sessionToken } = event as { data?: { id?: string }; sessionToken?: string };
  return data?.id ?? sessionToken;
}

/** An event that can be triggered. */
export interface ListedEvent {
  readonly type: EventType;
  /** What it tells, as a sentence. */
  readonly tells: string;
  /** The types of the events that go before it, in order. */
  readonly before: readonly string[];
}

/** Lists the events. Each really happens, so that what goes before it is true. */
export async function listedEvents(circumstances: Circumstances): Promise<readonly ListedEvent[]> {
  const listed: ListedEvent[] = [];
  for (const type of triggerTypes) {
    const { sim, events } = await happen({ type, fields: {} }, circumstances);
    await sim.close();
    const { fixture } = eventSubjects[type];
    listed.push({ type, tells: fixture.tells?.[type] ?? "", before: events.slice(0, -1).map((event) => event.type) });
  }
  return listed;
}
