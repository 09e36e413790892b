import { OriginalDate } from "../kit/base/runtime/dates.ts";
import { durationMilliseconds } from "../kit/engine/duration.ts";
import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import type { Evidence, PaymentMove, SentEvent } from "./evidence.ts";
import type { StoryRun } from "./playing/story-run.ts";

type Events = ReturnType<StoryRun["sim"]["webhooks"]["events"]>;
type Attempts = ReturnType<StoryRun["sim"]["webhooks"]["attempts"]>;

/** Gathers the evidence for the laws once a story has ended. */
export function gatherEvidence({ sim, seen, options, course }: StoryRun): Omit<Evidence, "unitsOfStock"> {
  const { owners } = seen;
  seen.neverRests = course.neverRests;
  seen.tooMuch = course.tooMuch;
  const payments = sim.intents.list().map((intent) => Object.assign(intent, { owner: owners.get(intent.id) }));
  const tokens = new Map(payments.map(({ sessionToken, id }) => [sessionToken, id]));
  const succeededAt = new Map(
    payments.flatMap(({ id, status, updatedAt }) =>
      status === "succeeded" ? [[id, OriginalDate.parse(updatedAt)] as const] : [],
    ),
  );
  const invoices = sim.invoices.list();
  const ownerOf = (about: string): string | undefined => {
    const payment = tokens.get(about) ?? about;
    const invoice = invoices.find(({ paymentIntent }) => paymentIntent.id === payment);
    return owners.get(invoice?.subscriptionId ?? payment);
  };
  return {
    seen,
    payments,
    subscriptions: sim.subscriptions
      .list()
      .map((subscription) => Object.assign(subscription, { owner: owners.get(subscription.id) })),
    invoices,
    events: sentEvents(sim.webhooks.events(), sim.webhooks.attempts(), ownerOf),
    hasSpacedBodies: sim.internals.parts.assumptions.value("webhook.body") === "spaced",
    plans: sim.plans.list(),
    moves: movesOf(sim.internals.parts.engine.journal.entries),
    succeededAt,
    unanswered: [...seen.unanswered],
    lastCustomer: seen.lastCustomer,
    policy: options.policy ?? {},
    jobs: (options.jobs ?? []).map(({ run, every }) => ({ run, every: durationMilliseconds(every) })),
  };
}

function movesOf(entries: readonly StoredEntry[]): Evidence["moves"] {
  const moves = new Map<string, PaymentMove[]>();
  for (const { kind, at, details } of entries) {
    if ((kind !== "step" && kind !== "timer") || details.resource !== "payment_intent") continue;
    const own = moves.get(details.id) ?? [];
    moves.set(details.id, own);
    own.push({ at, to: details.to });
  }
  return moves;
}

function sentEvents(
  events: Events,
  attempts: Attempts,
  ownerOf: (about: string) => string | undefined,
): readonly SentEvent[] {
  const byEvent = Map.groupBy(attempts, ({ eventId }) => eventId);
  return events.map(({ id, type, body, createdAt, status, fault }) => {
    const own = byEvent.get(id) ?? [];
    const taken = own.find(({ delivered, faults = [] }) => delivered && !faults.some(isForgery));
    const last = own.at(-1);
    const about = aboutOf(body);
    return {
      id,
      type,
      about,
      owner: about === undefined ? undefined : ownerOf(about),
      announcedAt: OriginalDate.parse(createdAt),
      takenAt: taken === undefined ? undefined : OriginalDate.parse(taken.answeredAt ?? taken.at),
      madeUp: fault !== undefined && status !== "dropped",
      status,
      last: last && {
        at: OriginalDate.parse(last.at),
        endedAt: OriginalDate.parse(last.answeredAt ?? last.at),
        answered: last.answer.kind === "answered" ? last.answer.status : undefined,
        struck: last.faults !== undefined,
        inWords:
          last.answer.kind === "answered"
            ? `was answered ${last.answer.status}`
            : `got no answer (${last.answer.message.replace(/\.$/, "")})`,
      },
    };
  });
}

/** Whether the merchant must refuse a delivery that this fault struck. */
function isForgery({ kind }: { readonly kind: string }): boolean {
  return /corrupt|secret|stamp|mode/.test(kind);
}

function aboutOf(body: object): string | undefined {
  const { data, sessionToken } = body as { readonly data?: { readonly id?: unknown }; readonly sessionToken?: unknown };
  const about = data?.id ?? sessionToken;
  return typeof about === "string" ? about : undefined;
}
