import { inWords } from "../../kit/base/errors/in-words.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { isObject, isSimulator, shown } from "../../simulator/shown.ts";
import { originOf } from "../../simulator/view-origin.ts";
import { openSimulators } from "./open-simulators.ts";

/** Where a matcher looks up an id. */
export interface WorldOption {
  /** The simulator; by default the view's own, or the running test's simulator that knows the id. */
  readonly sim?: SearchedSimulator;
}

/**
 * The parts of a simulator in which ids are looked up. The class would not do, because its ES module and its CommonJS version are different
 * types.
 */
export type SearchedSimulator = Pick<Simulator, ReaderName>;

/** The readers of resources with a status, and the names of their machines. A transaction has no machine. */
const READERS = {
  intents: "payment_intent",
  checkouts: "checkout",
  subscriptions: "subscription",
  invoices: "invoice",
  transactions: undefined,
} as const satisfies Partial<Record<keyof Simulator, string | undefined>>;

export type ReaderName = keyof typeof READERS;

/** A view with a status. */
export interface StatusView {
  readonly id: string;
  readonly status: string;
  readonly externalId?: string | undefined;
}

/** A resource in its world. */
export interface Subject {
  readonly sim: Simulator;
  readonly reader: ReaderName;
  /** The name of its machine in the journal; undefined for a transaction. */
  readonly machine: string | undefined;
  readonly view: StatusView;
}

/** A world, and the id to look up in it. */
export interface Place {
  readonly sim: Simulator;
  readonly id: string;
}

/** @throws {CentavoError} `INVALID_OPTION` for anything but a simulator */
export function simulatorIn(matcher: string, received: unknown): Simulator {
  if (isSimulator(received)) return received;
  throw new CentavoError(
    "INVALID_OPTION",
    `${matcher} examines a simulator, as in expect(sim).${matcher}(…), and got ${shown(received)}.`,
  );
}

/** Returns the id of a view or id. */
export function idIn(matcher: string, received: unknown): string {
  if (typeof received === "string" && received !== "") return received;
  if (isObject(received) && typeof received["id"] === "string") return received["id"];
  const why = received === undefined ? "undefined, which a reader returns for an unknown id" : shown(received);
  throw new CentavoError(
    "INVALID_OPTION",
    `${matcher} examines a view or an id, as in expect(sim.intents.get(id)).${matcher}(…), and got ${why}.`,
  );
}

/**
 * Finds the world of a view or id.
 * @throws {CentavoError} `INVALID_STATE` when the world was replaced or several worlds know the id, `NOT_FOUND` when none does
 */
export function placeOf(matcher: string, received: unknown, options: WorldOption = {}): Place {
  const id = idIn(matcher, received);
  const sim =
    givenSimulator(matcher, options) ?? simulatorOfView(matcher, received, id) ?? runningSimulator(matcher, id);
  return { sim, id };
}

/**
 * Returns the only resource with an id, session token or external id, as it is now.
 * @throws {CentavoError} `NOT_FOUND`, or `INVALID_STATE` when several resources share an external id
 */
export function subjectOf(matcher: string, { sim, id }: Place): Subject {
  const [subject, ...others] = subjectsNamed(sim, id);
  if (subject === undefined) {
    throw new CentavoError(
      "NOT_FOUND",
      `${matcher} found nothing with the id or external id ${inWords(id)} in this simulator. sim.intents.list(), and list() of the other readers, return what there is.`,
    );
  }
  if (others.length === 0) return subject;
  const ids = [subject, ...others].map(({ view }) => view.id).join(", ");
  throw new CentavoError(
    "INVALID_STATE",
    `${matcher} found several resources with the external id ${inWords(id)}: ${ids}. Give the id of the one that you mean.`,
  );
}

/** Returns every status that the subject can have; undefined when unknown here. */
export function statusWordsOf({ sim, machine }: Subject): readonly string[] | undefined {
  const declared = sim.internals.service.lifecycles.find(({ lifecycle }) => lifecycle.name === machine);
  return declared === undefined ? undefined : [...new Set(Object.values(declared.statusOf))];
}

/** Returns a function that translates the states of a subject's machine to its status. */
export function statusOfStates({ sim, machine }: Subject): (state: string) => string {
  const declared = sim.internals.service.lifecycles.find(({ lifecycle }) => lifecycle.name === machine);
  // A session that hides `processing` shows `pending` meanwhile.
  const isHiding =
    machine === "checkout" && sim.internals.parts.assumptions.value("checkout.moves") === "hide-processing";
  return (state) => (isHiding && state === "processing" ? "pending" : (declared?.statusOf[state] ?? state));
}

/** Refuses options that would silently do nothing. */
export function givenSimulator(matcher: string, options: WorldOption): Simulator | undefined {
  const unknown = isObject(options) ? Object.keys(options).filter((name) => name !== "sim") : ["not an object"];
  const { sim } = (isObject(options) ? options : {}) as { readonly sim?: unknown };
  if (unknown.length === 0 && (sim === undefined || isSimulator(sim))) return sim;
  throw new CentavoError(
    "INVALID_OPTION",
    `${matcher} takes the options { sim }, a simulator, and got ${shown(options)}.`,
  );
}

function simulatorOfView(matcher: string, received: unknown, id: string): Simulator | undefined {
  const origin = isObject(received) ? originOf(received) : undefined;
  if (origin === undefined) return undefined;
  if (origin.world === origin.sim.internals.parts.engine.world) return origin.sim as Simulator;
  throw new CentavoError(
    "INVALID_STATE",
    `${matcher} got a view of ${id} from a world that sim.reset() or sim.restore() has replaced since. Read it again from sim, or examine it before.`,
  );
}

function runningSimulator(matcher: string, id: string): Simulator {
  const open = [...openSimulators()];
  const [sim, ...others] = open.filter((candidate) => subjectsNamed(candidate, id).length > 0);
  if (sim !== undefined && others.length === 0) return sim;
  const wayOut = `Name the simulator, with { sim } as the last argument, or give a view such as sim.intents.get(${inWords(id)}).`;
  if (sim !== undefined) {
    throw new CentavoError(
      "INVALID_STATE",
      `${matcher} found ${inWords(id)} in ${others.length + 1} simulators of tests that are running. ${wayOut}`,
    );
  }
  const where =
    open.length === 0
      ? `No test of withSimulator or simulated is running, and a simulator that you created yourself is not found by an id alone. ${wayOut}`
      : "Nothing in the simulator of a running test has this id or external id. If another simulator has it, name that one, with { sim } as the last argument.";
  throw new CentavoError("NOT_FOUND", `${matcher} cannot find ${inWords(id)}. ${where}`);
}

function subjectsNamed(sim: Simulator, id: string): Subject[] {
  const names = Object.keys(READERS) as ReaderName[];
  for (const reader of names) {
    const view: StatusView | undefined = sim[reader].get(id);
    if (view !== undefined) return [{ sim, reader, machine: READERS[reader], view }];
  }
  // A transaction belongs to an external id if its resource does.
  return names
    .filter((reader) => reader !== "transactions")
    .flatMap((reader) => {
      const views: readonly StatusView[] = sim[reader].list();
      return views
        .filter((view) => view.externalId === id && !isPartOfAnother(view))
        .map((view) => ({ sim, reader, machine: READERS[reader], view }));
    });
}

/** The intents of sessions and subscriptions carry the external id of their owners. */
function isPartOfAnother(view: StatusView & { readonly purpose?: string }): boolean {
  return view.purpose !== undefined && view.purpose !== "payment_intent";
}
