import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import { toTimestamp } from "../kit/engine/timestamp.ts";
import { readersOf } from "../simulator/payment-service.ts";
import type { Readers } from "../simulator/payment-service.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { DEFAULT_CURRENCY } from "./reported-run.ts";
import type { Move, ReportedResource } from "./reported-run.ts";
import { toneOfStatus } from "./tones.ts";

/** The path of a resource so far. */
interface Path {
  readonly machine: string;
  readonly id: string;
  readonly moves: Move[];
}

/** The resources in the journal that have a lifecycle, oldest first, each with its path. They are known by their places in this order. */
export class ResourcesInRun {
  readonly #readers: Readers;
  readonly #statuses: ReadonlyMap<string, Readonly<Record<string, string>>>;
  readonly #paths: Path[] = [];
  /** By id, and by the beginning of the session token, because the journal shortens a token to this part. */
  readonly #places = new Map<string, number>();
  readonly #changed = new Set<number>();
  /** The invoices of each subscription, by its id, which repeat its terms. */
  readonly #invoices = new Map<string, number[]>();
  /** The terms of subscriptions as they were last returned, as JSON. */
  readonly #terms = new Map<string, string>();

  constructor({ internals }: Simulator) {
    // Those of the simulator itself would remember what they were asked for, as clues to the causes of a failure.
    this.#readers = readersOf(internals.parts);
    this.#statuses = new Map(
      internals.service.lifecycles.map(({ lifecycle, statusOf }) => [lifecycle.name, statusOf] as const),
    );
  }

  /** Takes the next entry of the journal. */
  take({ sequence, at, kind, details }: StoredEntry): void {
    if (kind !== "step" && kind !== "timer") return;
    const { resource: machine, id, input, from, to } = details;
    const place = this.#places.get(id) ?? this.#add(machine, id);
    this.#changed.add(place);
    this.#paths[place]?.moves.push({
      sequence,
      at: toTimestamp(at),
      input,
      ...(from === undefined ? {} : { from }),
      to,
    });
  }

  /** Returns the place of the resource with this id, or with a session token that begins with this text. */
  placeOf(word: string): number | undefined {
    return this.#places.get(word);
  }

  get all(): ReportedResource[] {
    return this.#paths.map((path) => this.#shown(path));
  }

  /** Returns the resources that have changed since the last call, each with its place. */
  takeChanged(): (readonly [place: number, resource: ReportedResource])[] {
    for (const place of this.#changed) this.#changeInvoicesOf(this.#paths[place]?.id ?? "");
    const changed = [...this.#changed].toSorted((one, other) => one - other);
    this.#changed.clear();
    return changed.flatMap((place) => {
      const path = this.#paths[place];
      return path === undefined ? [] : [[place, this.#shown(path)] as const];
    });
  }

  /** Marks the invoices of a subscription as changed, if its terms are other ones. */
  #changeInvoicesOf(id: string): void {
    const invoices = this.#invoices.get(id);
    if (invoices === undefined) return;
    const terms = JSON.stringify(termsOf(this.#readers, id));
    if (this.#terms.get(id) === terms) return;
    this.#terms.set(id, terms);
    for (const place of invoices) this.#changed.add(place);
  }

  #add(machine: string, id: string): number {
    const place = this.#paths.push({ machine, id, moves: [] }) - 1;
    this.#places.set(id, place);
    const { subscriptionId } = this.#readers.invoices.get(id) ?? {};
    if (subscriptionId !== undefined) {
      const others = this.#invoices.get(subscriptionId);
      if (others === undefined) this.#invoices.set(subscriptionId, [place]);
      else others.push(place);
    }
    const checkout = this.#readers.checkouts.get(id);
    const { sessionToken = "" } = checkout ?? this.#readers.intents.get(id) ?? {};
    const beginning = sessionToken.slice(0, sessionToken.indexOf("-"));
    // The payment of a checkout has its token, too.
    if (beginning !== "" && (checkout !== undefined || !this.#places.has(beginning)))
      this.#places.set(beginning, place);
    return place;
  }

  #shown({ machine, id, moves }: Path): ReportedResource {
    const state = moves.at(-1)?.to ?? "";
    const status = this.#statuses.get(machine)?.[state] ?? state;
    return { machine, id, state, status, tone: toneOfStatus(status), moves, ...termsOf(this.#readers, id) };
  }
}

/** What is paid, for what, and by whom. */
type Terms = Pick<ReportedResource, "price" | "isPayment" | "description" | "name" | "customer">;

function termsOf({ subscriptions, invoices, checkouts, intents }: Readers, id: string): Terms {
  const intent = intents.get(id);
  if (intent !== undefined) {
    const { amount, currency = DEFAULT_CURRENCY, description, externalId, contact } = intent;
    return { price: { amount, currency }, isPayment: true, ...described(description), ...owned(externalId, contact) };
  }
  const checkout = checkouts.get(id);
  if (checkout !== undefined) {
    const { amount, description, externalId, contact } = checkout;
    return {
      price: { amount, currency: DEFAULT_CURRENCY },
      ...described(description),
      ...owned(externalId, contact),
    };
  }
  const invoice = invoices.get(id);
  if (invoice !== undefined) {
    const { amount, currency, subscriptionId } = invoice;
    return { ...termsOfSubscription(subscriptions, subscriptionId), price: { amount, currency } };
  }
  return termsOfSubscription(subscriptions, id);
}

function termsOfSubscription(subscriptions: Readers["subscriptions"], id: string): Terms {
  const subscription = subscriptions.get(id);
  if (subscription === undefined) return {};
  const { plan, externalId, contact } = subscription;
  const { amount, currency, interval, intervalCount, name } = plan;
  const every = intervalCount === 1 ? interval : `${intervalCount} ${interval}s`;
  return { price: { amount, currency, every }, description: name, ...owned(externalId, contact) };
}

function described(description: string | undefined): Pick<Terms, "description"> {
  return description === undefined || description === "" ? {} : { description };
}

function owned(
  externalId: string | undefined,
  contact: { readonly name?: string | undefined; readonly email?: string | undefined } = {},
): Pick<Terms, "name" | "customer"> {
  const customer = contact.name ?? contact.email;
  return {
    ...(externalId === undefined ? {} : { name: externalId }),
    ...(customer === undefined ? {} : { customer }),
  };
}
