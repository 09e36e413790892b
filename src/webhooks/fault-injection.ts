import { durationMilliseconds } from "../engine/duration.ts";
import type { Engine } from "../engine/engine.ts";
import type { Biting, FaultKind, Faults } from "../faults/faults.ts";
import type { Occasion } from "../faults/occasion.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";
import { idsIn, renameIds } from "./content-ids.ts";
import type { WebhookPolicies } from "./policies.ts";
import type { WebhookScheme } from "./signatures/signature.ts";
import type { LaterSending, WindowFault } from "./hold-windows.ts";

/** An event as faults tell it from others. */
export interface DisturbableEvent {
  readonly id: string;
  readonly type: string;
  readonly merchantId: string;
  /** What its body says beside id, type and time. */
  readonly content: object;
}

/** An event that a fault makes up, sent right after the one that gave occasion to it. */
export interface MadeUpEvent extends DisturbableEvent {
  readonly fault: string;
  /** How long after the other one, in milliseconds. */
  readonly after: number;
}

/** What faults make of an event when it happens. */
export interface DisturbedAnnouncement {
  readonly content: object;
  /** The fault that swallows it. */
  readonly droppedBy?: string;
  readonly window?: WindowFault;
  /** How long it is held back on top of the window, in milliseconds. */
  readonly after: number;
  readonly madeUp: readonly MadeUpEvent[];
  /** All that is to be sent, in order. */
  readonly sendings: readonly LaterSending[];
}

/** What faults make of one attempt to deliver an event: plain data, because a world may be kept in the middle of it. */
export interface DisturbedAttempt {
  /** What is sent in place of the body that was signed; `true` is the same text with another number in it. */
  readonly corruptBody: string | boolean;
  readonly wrongSecret: boolean;
  readonly otherMode: boolean;
  /** How far the stamp is from the receiver's time, in milliseconds; below 0 where it is before. */
  readonly skew: number;
  /** What the service makes of it, whatever the merchant's app answers. */
  readonly end?: Biting<EndKind>;
  /** How long the answer is under way, in milliseconds of virtual time. */
  readonly delay: number;
}

type AnnouncementKind = Extract<
  FaultKind,
  `webhook.${"drop" | "delay" | "duplicate" | "new-id" | "extra-fields" | "unknown-type" | "unknown-object"}`
>;
type EndKind = Extract<FaultKind, `webhook.${"refused" | "answer-lost" | "answer"}`>;
type MessageKind = Extract<FaultKind, `webhook.${"corrupt-body" | "wrong-secret" | "stale-timestamp" | "other-mode"}`>;

const announcementKinds: ReadonlySet<AnnouncementKind> = new Set([
  "webhook.drop",
  "webhook.delay",
  "webhook.duplicate",
  "webhook.new-id",
  "webhook.extra-fields",
  "webhook.unknown-type",
  "webhook.unknown-object",
]);
const windowKinds: ReadonlySet<WindowFault["kind"]> = new Set([
  "webhook.reorder",
  "webhook.burst",
  "webhook.interleave",
]);
const endKinds: ReadonlySet<EndKind> = new Set(["webhook.refused", "webhook.answer-lost", "webhook.answer"]);
const slowKinds: ReadonlySet<"webhook.slow"> = new Set(["webhook.slow"]);
const messageKinds: ReadonlySet<MessageKind> = new Set([
  "webhook.corrupt-body",
  "webhook.wrong-secret",
  "webhook.stale-timestamp",
  "webhook.other-mode",
]);

const DEFAULT_AGE = "10 minutes";
const EXTRA_FIELDS = { unexpected_field: "that no version of the documentation names" };
/** Base64, which one of the schemes asks for. */
const WRONG_SECRET = `whsec_${btoa("the secret of another merchant..")}`;

/** Lets faults come between what happened and what merchants are told of it. */
export class Disturbances {
  readonly #engine: Engine;
  readonly #faults: Faults;
  readonly #policies: Pick<WebhookPolicies, "eventId" | "contentIds">;

  constructor(engine: Engine, faults: Faults, policies: Pick<WebhookPolicies, "eventId" | "contentIds">) {
    this.#engine = engine;
    this.#faults = faults;
    this.#policies = policies;
  }

  /** Inside the unit in which the event happens. One that is made up is no occasion for further faults until it is sent. */
  announced(event: DisturbableEvent): DisturbedAnnouncement {
    const occasion = this.#occasionOf(event, () => event.content);
    let { content } = event;
    let droppedBy: string | undefined;
    let after = 0;
    const copies: number[] = [];
    const madeUp: MadeUpEvent[] = [];
    this.#faults.strike(announcementKinds, occasion, (fault) => {
      const seen = { ...event, content };
      switch (fault.kind) {
        case "webhook.drop":
          droppedBy = fault.id;
          break;
        case "webhook.delay":
          after += durationMilliseconds(fault.delay);
          break;
        case "webhook.duplicate":
          for (let copy = 1; copy <= (fault.copies ?? 1); copy += 1)
            copies.push(copy * durationMilliseconds(fault.delay ?? NO_TIME));
          break;
        case "webhook.extra-fields":
          content = { ...content, ...(fault.fields ?? EXTRA_FIELDS) };
          break;
        case "webhook.new-id":
        case "webhook.unknown-type":
        case "webhook.unknown-object":
          madeUp.push(this.#makeUp(fault, seen));
      }
      return droppedBy === undefined;
    });
    const others = madeUp.map((other) => sendingOf(other.id, "deliver", after + other.after));
    if (droppedBy !== undefined) return { content, droppedBy, after, madeUp, sendings: others };
    const own = [sendingOf(event.id, "deliver", after)];
    for (const [index, later] of copies.entries())
      own.push({ ...sendingOf(event.id, "copy", after + later), name: `copy-${index + 1}` });
    let window: WindowFault | undefined;
    this.#faults.strike(windowKinds, occasion, (fault) => {
      window = fault;
      return false;
    });
    return { content, after, madeUp, sendings: [...own, ...others], ...(window === undefined ? {} : { window }) };
  }

  /** Inside the unit in which an attempt begins; `undefined` where nothing disturbs it. */
  attempted(event: Omit<DisturbableEvent, "content">, contentOf: () => unknown): DisturbedAttempt | undefined {
    const faults = this.#faults;
    const occasion = this.#occasionOf(event, contentOf);
    let end: Biting<EndKind> | undefined;
    let delay = 0;
    let message: Pick<DisturbedAttempt, "corruptBody" | "wrongSecret" | "otherMode" | "skew"> = INTACT;
    let isDisturbed = false;
    faults.strike(endKinds, occasion, (fault) => {
      end = fault;
      isDisturbed = true;
      return false;
    });
    if (end?.kind !== "webhook.refused") {
      faults.strike(slowKinds, occasion, (fault) => {
        delay += durationMilliseconds(fault.delay);
        isDisturbed = true;
        return true;
      });
    }
    if (isSent(end)) {
      faults.strike(messageKinds, occasion, (fault) => {
        message = { ...message, ...inMessage(fault) };
        isDisturbed = true;
        return true;
      });
      const skew = faults.skewOf("webhook", event.merchantId, occasion.note);
      if (skew !== 0) message = { ...message, skew: message.skew + skew };
      isDisturbed ||= skew !== 0;
    }
    return isDisturbed ? { ...message, delay, ...(end === undefined ? {} : { end }) } : undefined;
  }

  #makeUp(
    fault: Biting<"webhook.new-id" | "webhook.unknown-type" | "webhook.unknown-object">,
    event: DisturbableEvent,
  ): MadeUpEvent {
    const { contentIds } = this.#policies;
    const stream = `fault/${fault.id}`;
    const madeUp = { ...event, id: this.#policies.eventId(this.#engine.random, stream), fault: fault.id, after: 0 };
    switch (fault.kind) {
      case "webhook.new-id":
        return { ...madeUp, after: durationMilliseconds(fault.delay ?? NO_TIME) };
      case "webhook.unknown-type":
        return { ...madeUp, type: fault.type ?? event.type.replace(/[^.]*$/, "reviewed") };
      case "webhook.unknown-object": {
        const own = contentIds.subjectOf(event.content);
        const strangers = new Map(own !== undefined && fault.object !== undefined ? [[own, fault.object]] : []);
        const rename = (id: string): string => {
          const stranger = strangers.get(id) ?? this.#idLike(id, stream);
          strangers.set(id, stranger);
          return stranger;
        };
        return { ...madeUp, content: renameIds(event.content, contentIds, rename) };
      }
    }
  }

  #occasionOf({ id, type, merchantId }: Omit<DisturbableEvent, "content">, contentOf: () => unknown): Occasion {
    const { contentIds } = this.#policies;
    return {
      event: type,
      merchant: merchantId,
      // Asked for by few faults, and costly.
      get resources() {
        return [id, ...idsIn(contentOf(), contentIds)];
      },
      note: { event: id, type },
    };
  }

  /** An id of nobody, of the same shape. */
  #idLike(id: string, stream: string): string {
    const { random } = this.#engine;
    if (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id)) return random.uuid(stream);
    const prefix = /^[a-z]+_(?=[\dA-Za-z]{24}$)/.exec(id)?.[0];
    return prefix === undefined ? random.base62(stream, 8, "unknown-") : random.base62(stream, 24, prefix);
  }
}

const NO_TIME = { milliseconds: 0 };
const INTACT = { corruptBody: false, wrongSecret: false, otherMode: false, skew: 0 };

function sendingOf(event: string, type: "deliver" | "copy", after: number): LaterSending {
  return { event, type, name: type, after };
}

function inMessage(fault: Biting<MessageKind>): Partial<DisturbedAttempt> {
  switch (fault.kind) {
    case "webhook.corrupt-body":
      return { corruptBody: fault.body ?? true };
    case "webhook.wrong-secret":
      return { wrongSecret: true };
    case "webhook.stale-timestamp":
      return { skew: -durationMilliseconds(fault.age ?? DEFAULT_AGE) };
    case "webhook.other-mode":
      return { otherMode: true };
  }
}

/** Whether the merchant's app gets to see an attempt. */
export function isSent(end: DisturbedAttempt["end"]): boolean {
  return end?.kind !== "webhook.refused" && (end?.kind !== "webhook.answer" || end.reaches !== false);
}

/** The secret that signs an attempt. */
export function secretIn({ wrongSecret }: DisturbedAttempt, secret: string): string {
  return wrongSecret ? WRONG_SECRET : secret;
}

/** The body that arrives, given the one that was signed. */
export function bodyIn({ corruptBody }: DisturbedAttempt, body: string): string {
  if (typeof corruptBody === "string") return corruptBody;
  if (!corruptBody) return body;
  const corrupt = body.replace(
    /(":\s*)(\d+)(?=[\s,}\]])/,
    (_, before: string, number) => before + (Number(number) + 1),
  );
  return corrupt === body ? `${body} ` : corrupt;
}

/**
 * The headers that arrive. Of the other mode is what stands where this mode's receivers do not look: PayMongo's live field, Stripe's
 * `v0`, another version's mark under Standard Webhooks.
 */
export function headersIn(
  { otherMode }: DisturbedAttempt,
  headers: Readonly<Record<string, string>>,
  scheme: WebhookScheme,
): Record<string, string> {
  if (!otherMode) return { ...headers };
  const move: Record<WebhookScheme, (value: string) => string> = {
    paymongo: (value) => value.replace(/te=([^,]*),li=/, "te=,li=$1"),
    stripe: (value) => value.replace(",v1=", ",v0="),
    "standard-webhooks": (value) => value.replace(/^v1,/, "v1a,"),
  };
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, move[scheme](value)]));
}

/**
 * What the service makes of an attempt.
 * @param own the answer of the merchant's app, where the attempt got there
 */
export function answerIn(
  { end }: DisturbedAttempt,
  url: string,
  own: ReceiverAnswer | undefined,
): ReceiverAnswer | undefined {
  // Whoever did not answer has no answer that another could take the place of.
  if (end === undefined || own?.kind === "failed") return own;
  switch (end.kind) {
    case "webhook.refused":
      return { kind: "failed", reason: "refused", message: `${end.id} refused the connection to ${url}.` };
    case "webhook.answer-lost":
      return {
        kind: "failed",
        reason: "reset",
        message: `${end.id} broke the connection to ${url} before the answer.`,
      };
    case "webhook.answer": {
      const { status, headers = {} } = end;
      const { "retry-after": retryAfter, location } = Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      return {
        kind: "answered",
        status,
        ...(retryAfter !== undefined && { retryAfter }),
        ...(location !== undefined && { location }),
      };
    }
  }
}
