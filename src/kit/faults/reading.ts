import * as z from "zod/mini";
import { inWords } from "../base/errors/in-words.ts";
import { CentavoError } from "../base/errors/centavo-error.ts";
import { inEnglish } from "../base/errors/english.ts";
import { isThrown, messageOf } from "../base/errors/thrown-values.ts";
import type { AnyFault, AnyFaultKind, AnySelector, FaultFamily, Occasion } from "./declaration.ts";
import { unknownName } from "../base/errors/known-names.ts";
import { countAsJson, DEEPEST_BODY, isDeeperThan } from "../base/runtime/nesting.ts";
import { once } from "../base/runtime/once.ts";
import { nearest } from "../base/errors/nearest.ts";
import { recurrenceComplaint, recurrenceFields } from "./recurrence.ts";

/** How many values a field may have as JSON. Values that are held twice double at each level, so that a few lines could fill the memory. */
const MOST_VALUES = 100_000;

/** Other names that people use for a field. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([["statusCode", "status"]]);

/** A kind of fault, with everything that its family adds. */
interface KnownKind {
  readonly declared: AnyFaultKind;
  readonly selectors: readonly (readonly [field: string, selector: AnySelector])[];
  readonly service: unknown;
  readonly schema: () => z.ZodMiniObject;
}

/** The kinds of fault that a service knows. All worlds of a service share this. */
export class KnownFaults {
  readonly families: readonly FaultFamily[];
  readonly #kinds: ReadonlyMap<string, KnownKind>;

  /** @param families in the order in which messages list their kinds */
  constructor(families: readonly FaultFamily[]) {
    this.families = families;
    this.#kinds = new Map(
      families.flatMap((family) => family.kinds.map((declared) => [declared.kind, knownKind(declared, family)])),
    );
  }

  get kinds(): readonly AnyFaultKind[] {
    return this.families.flatMap(({ kinds }) => kinds);
  }

  /**
   * Reads a fault from a test.
   * @throws {CentavoError} `INVALID_FAULT` naming the field, its value and the nearest right name
   */
  read(given: unknown): AnyFault {
    if (typeof given !== "object" || given === null)
      throw refused(`a fault is one object such as { kind: "response.lost", times: 1 }, not ${inWords(given)}`);
    const fault = this.#readPlain(given);
    const known = this.#kinds.get(fault.kind) as KnownKind;
    const complaint =
      selectorComplaint(known, fault) ??
      known.declared.complaint?.(fault as never, known.service as never) ??
      recurrenceComplaint(fault);
    if (complaint !== undefined) throw refused(complaint);
    return fault;
  }

  /** Returns what is wrong with a fault from a file; undefined if nothing is. */
  complaintAbout(given: unknown): string | undefined {
    try {
      this.read(given);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }

  /** Returns what the effect of a kind needs to know about the service. */
  serviceOf(kind: string): unknown {
    return this.#kinds.get(kind)?.service;
  }

  /** Whether a fault concerns an occasion. */
  concerns(fault: AnyFault, occasion: Occasion): boolean {
    const { selectors = [] } = this.#kinds.get(fault.kind) ?? {};
    return selectors.every(([field, { selects }]) => {
      const wanted = valueOf(fault, field);
      return wanted === undefined || selects(wanted, occasion as never);
    });
  }

  /** Copies the object's own fields, so that later changes by the caller have no effect. */
  #readPlain(given: object): AnyFault {
    try {
      const own: object = { ...given };
      const kind: unknown = Reflect.get(own, "kind");
      const known = typeof kind === "string" ? this.#kinds.get(kind) : undefined;
      if (known === undefined) throw refused(unknownName("kind", kind, [...this.#kinds.keys()]) ?? "");
      const deep = Object.entries(own).find(([, value]) => isDeeperThan(DEEPEST_BODY, value));
      if (deep !== undefined) throw refused(deepComplaint(...deep));
      const large = Object.entries(own).find(([, value]) => countAsJson(value) > MOST_VALUES);
      if (large !== undefined) throw refused(largeComplaint(...large));
      const parsed = known.schema().safeParse(own, inEnglish);
      if (!parsed.success) {
        const complaints = parsed.error.issues.map((issue) => fieldComplaint(issue, own, known));
        throw refused([...new Set(complaints)].join("; "));
      }
      return Object.freeze(JSON.parse(JSON.stringify(parsed.data))) as AnyFault;
    } catch (error) {
      if (isThrown(error, CentavoError)) throw error;
      throw refused(`a fault is plain JSON, and this is not: ${messageOf(error)}`);
    }
  }
}

function knownKind(declared: AnyFaultKind, family: FaultFamily): KnownKind {
  const selectors = Object.entries(family.selectors);
  const places = Object.fromEntries(selectors.map(([field, selector]) => [field, selector.field]));
  const schema = once(() =>
    z.strictObject({ kind: z.literal(declared.kind), ...recurrenceFields, ...places, ...declared.fields }),
  );
  return { declared, selectors, service: family.service, schema };
}

function selectorComplaint({ selectors, service }: KnownKind, fault: AnyFault): string | undefined {
  for (const [field, { complaint }] of selectors) {
    const wanted = valueOf(fault, field);
    const found = wanted === undefined ? undefined : complaint?.(wanted, service as never, fault);
    if (found !== undefined) return found;
  }
  return undefined;
}

function valueOf(fault: AnyFault, selector: string): string | undefined {
  return fault[selector] as string | undefined;
}

function fieldComplaint(issue: z.core.$ZodIssue, given: object, known: KnownKind): string {
  if (issue.code === "unrecognized_keys")
    return issue.keys.map((key) => `the fault has no field ${inWords(key)}; ${meantBy(key, known)}`).join("; ");
  const value = issue.path.reduce<unknown>(
    (whole, key) => (typeof whole === "object" && whole !== null ? Reflect.get(whole, key) : undefined),
    given,
  );
  const { message } = (issue.code === "invalid_key" ? issue.issues[0] : undefined) ?? issue;
  return `${issue.path.join(".")} is ${inWords(value)}: ${message.replace(/\.$/, "")}`;
}

function deepComplaint(field: string, value: unknown): string {
  return `${field} is ${inWords(value)}: it is nested deeper than ${DEEPEST_BODY} levels, or holds itself. Give a flatter value`;
}

function largeComplaint(field: string, value: unknown): string {
  return `${field} is ${inWords(value)}: as JSON it has more than ${MOST_VALUES} values. Give a smaller value`;
}

function meantBy(field: string, { schema, selectors }: KnownKind): string {
  const fields = Object.keys(schema().shape);
  const named = selectors.find(([, { otherNames = [] }]) => otherNames.includes(field));
  const other = named?.[0] ?? OTHER_NAMES.get(field);
  if (other !== undefined && fields.includes(other)) return `you may mean "${other}"`;
  const near = nearest(field, fields);
  return near === undefined ? `its fields are ${fields.join(", ")}` : `the nearest is "${near}"`;
}

function refused(why: string): CentavoError {
  return new CentavoError("INVALID_FAULT", `faults.add: ${why}.`);
}
