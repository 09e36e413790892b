import * as z from "zod/mini";
import { durationMilliseconds } from "../engine/duration.ts";
import { inWords } from "../base/errors/in-words.ts";
import type { RandomStreams } from "../engine/random.ts";
import { faultKind } from "../faults/declaration.ts";
import { duration, json, name, pause, wholeNumber } from "../faults/fields.ts";
import { hasOtherValue, otherValueComplaint, otherValueFields, withOtherValue } from "../faults/other-values.ts";
import { renameIds } from "./content-ids.ts";
import type { NotifyingService } from "./event-selectors.ts";
import type { WebhookPolicies } from "./policies.ts";

export interface ToldEvent {
  readonly id: string;
  readonly type: string;
  readonly merchantId: string;
  /** The content of the body, apart from id, type and time. */
  readonly content: object;
}

/** An event that a fault invents. It is sent after the event on which the fault fired. */
export interface MadeUpEvent extends ToldEvent {
  readonly fault: string;
  /** How long after that event, in milliseconds. */
  readonly after: number;
}

/** An event as it happens, with the effects of faults. */
export interface HappeningEvent {
  /** The event after the faults so far. */
  event: ToldEvent;
  /** The fault that drops it. */
  droppedBy?: string;
  /** How long it is held back, in milliseconds. */
  after: number;
  /** When copies are sent, in milliseconds after the first sending. */
  readonly copies: number[];
  readonly madeUp: MadeUpEvent[];
  readonly random: RandomStreams;
  readonly policies: Pick<WebhookPolicies, "eventId" | "contentIds">;
}

const eventFault = faultKind<HappeningEvent, NotifyingService>();

const NO_TIME = { milliseconds: 0 };
const EXTRA_FIELDS = { unexpected_field: "that no version of the documentation names" };

/** Faults that strike when an event happens. They ignore events that faults invented. */
export const eventFaults = [
  eventFault({
    kind: "webhook.drop",
    inWords: "an event that never arrives",
    fields: {},
    effect({ id }, happening) {
      happening.droppedBy = id;
    },
  }),
  eventFault({
    kind: "webhook.delay",
    inWords: "an event that arrives late",
    fields: { delay: duration },
    effect({ delay }, happening) {
      happening.after += durationMilliseconds(delay);
    },
  }),
  eventFault({
    kind: "webhook.duplicate",
    inWords: "an event that arrives twice",
    fields: {
      /** How many copies to send; one by default. */
      copies: z.optional(wholeNumber(1, 100)),
      /** How long after the previous copy each is sent; at once by default. */
      delay: z.optional(pause),
    },
    effect({ copies = 1, delay = NO_TIME }, happening) {
      for (let copy = 1; copy <= copies; copy += 1) happening.copies.push(copy * durationMilliseconds(delay));
    },
  }),
  eventFault({
    kind: "webhook.new-id",
    inWords: "an event that arrives twice under different ids",
    fields: { delay: z.optional(pause) },
    effect({ id, delay = NO_TIME }, happening) {
      happening.madeUp.push({ ...madeUpFrom(happening, id), after: durationMilliseconds(delay) });
    },
  }),
  eventFault({
    kind: "webhook.extra-fields",
    inWords: "an event with fields that you do not know",
    fields: { fields: z.optional(z.record(z.string(), json, "it takes fields with JSON values")) },
    complaint({ fields = {} }, { eventFields }) {
      const taken = eventFields.filter((field) => Object.hasOwn(fields, field));
      if (taken.length === 0) return undefined;
      return `fields has ${taken.join(", ")}, which the event has itself; it takes only additional fields`;
    },
    effect({ fields = EXTRA_FIELDS }, happening) {
      const { event } = happening;
      happening.event = { ...event, content: { ...event.content, ...fields } };
    },
  }),
  eventFault({
    kind: "webhook.unknown-type",
    inWords: "an event of a type that you do not know",
    fields: { type: z.optional(name) },
    complaint({ type }, { eventTypes }) {
      if (type === undefined || !eventTypes.includes(type)) return undefined;
      return `type is ${inWords(type)}, which every merchant knows; give one that the service does not have`;
    },
    effect({ id, type }, happening) {
      const known = happening.event.type;
      happening.madeUp.push({
        ...madeUpFrom(happening, id),
        type: type ?? known.replace(/(?<=^|\.)[^.]*$/, "reviewed"),
      });
    },
  }),
  eventFault({
    kind: "webhook.unknown-object",
    inWords: "an event about something that is not yours",
    fields: {
      /** The id that replaces the event's own, such as the id of another merchant's object; an unknown id by default. */
      object: z.optional(z.string().check(z.minLength(1))),
    },
    effect({ id, object }, happening) {
      happening.madeUp.push({ ...madeUpFrom(happening, id), content: ofAnother(happening, object, id) });
    },
  }),
  eventFault({
    kind: "webhook.other-object",
    inWords: "an event that names another object in place of its own",
    fields: {
      /** The id that replaces the event's own, such as the id of another order's payment; an unknown id by default. */
      object: z.optional(z.string().check(z.minLength(1))),
    },
    effect({ id, object }, happening) {
      happening.event = { ...happening.event, content: ofAnother(happening, object, id) };
    },
  }),
  eventFault({
    kind: "webhook.other-value",
    inWords: "an event in which a field says something else than the books",
    fields: otherValueFields,
    complaint(fault, { eventFields }) {
      if (!eventFields.includes(fault.field)) return otherValueComplaint(fault);
      return `field is ${inWords(fault.field)}, with which every event begins; it takes a field of what the event is about`;
    },
    hasOccasion: (fault, { event }) => hasOtherValue(event.content, fault),
    effect(fault, happening) {
      const { event } = happening;
      happening.event = { ...event, content: withOtherValue(event.content, fault) };
    },
  }),
] as const;

/** Copies the event in its current form, with another id. */
function madeUpFrom({ event, random, policies }: HappeningEvent, fault: string): MadeUpEvent {
  return { ...event, id: policies.eventId(random, streamOf(fault)), fault, after: 0 };
}

/**
 * Returns an event's content with other ids.
 * @param object the id in place of the event's own; an unknown one by default
 * @param fault the name of the fault, whose stream invents ids
 */
function ofAnother(
  { event: { content }, policies, random }: HappeningEvent,
  object: string | undefined,
  fault: string,
): object {
  const { contentIds } = policies;
  const own = contentIds.subjectOf(content);
  const strangers = new Map(own !== undefined && object !== undefined ? [[own, object]] : []);
  return renameIds(content, contentIds, (known: string): string => {
    const stranger = strangers.get(known) ?? idLike(known, random, streamOf(fault));
    strangers.set(known, stranger);
    return stranger;
  });
}

/** Makes an unknown id of the same format. */
function idLike(id: string, random: RandomStreams, stream: string): string {
  if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return random.uuid(stream);
  const prefix = /^([a-z]+)_[\dA-Za-z]{24}$/.exec(id)?.[1];
  return prefix === undefined ? random.base62(stream, 8, "unknown-") : random.id(prefix, stream);
}

/** Names the random stream for the events that a fault invents. */
function streamOf(fault: string): string {
  return `fault/${fault}`;
}
