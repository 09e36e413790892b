import type { Engine } from "../engine/engine.ts";
import type { VolatileOf } from "../engine/journal-entries.ts";
import { textOf } from "../base/errors/thrown-values.ts";
import type { AnyCall } from "./call-reader.ts";
import type { HttpError } from "./http-error.ts";
import type { HttpPolicies } from "./policies.ts";
import type { RequestHeaders } from "./request-headers.ts";
import type { AnyRoute, RawAnswer } from "./route.ts";

/** A request may have ten thousand fields. */
const MOST_FIELDS_NAMED = 100;
/** A refusal may name as many. Its journal entry keeps the first ones, up to this many characters. */
const MOST_PROBLEMS = 3;
const LONGEST_PROBLEM = 300;

/** The parts of a request that the journal uses. It writes no header but the idempotency key, and no secret. */
export interface Arrived {
  readonly method: string;
  readonly path: string;
  readonly headers: RequestHeaders;
}

/** Writes requests and their answers into the journal. */
export class RequestJournal {
  readonly #engine: Engine;
  readonly #policies: HttpPolicies;

  constructor(engine: Engine, policies: HttpPolicies) {
    this.#engine = engine;
    this.#policies = policies;
  }

  /** Journals a request: with its query and body when they are valid, by method and path alone when it was refused earlier. */
  request({ method, path, headers }: Arrived, route: AnyRoute | undefined, call?: AnyCall): void {
    const { redaction } = this.#engine.journal;
    const caller = call && (this.#policies.nameOf?.(call.caller) ?? call.caller.merchantId);
    const key = headers["idempotency-key"];
    this.#engine.note("request", {
      method,
      path: redaction.text(path),
      ...named(route),
      ...(caller === undefined ? {} : { caller }),
      ...(call?.query === undefined ? {} : { query: redaction.value(call.query) }),
      ...(call?.body === undefined ? {} : { body: redaction.value(call.body) }),
      ...(key === undefined ? {} : { idempotencyKey: redaction.text(key) }),
    });
    const versions = (this.#policies.versionHeaders ?? []).filter((name) => headers[name] !== undefined).join(", ");
    if (versions !== "") this.#versionIgnored(route, versions);
  }

  #versionIgnored(route: AnyRoute | undefined, versions: string): void {
    this.#policies.onVersion?.();
    this.#warn(route, `the service has no versions; ignored: ${this.#engine.journal.redaction.text(versions)}`);
  }

  /** Warns of unknown fields: names the first 100, and counts the others. */
  ignored(route: AnyRoute, fields: readonly string[]): void {
    const first = fields.slice(0, MOST_FIELDS_NAMED);
    const more = fields.length - first.length;
    const { redaction } = this.#engine.journal;
    const message = `unknown fields were ignored: ${redaction.text(first.join(", "))}${more === 0 ? "" : ` and ${more} more`}`;
    this.#warn(route, message, { message, ignored: first.map((field) => redaction.text(field)) });
  }

  defect(route: AnyRoute | undefined, error: unknown): void {
    const engine = this.#engine;
    const message = `Centavo failed to answer; this is a defect, please report it: ${engine.journal.redaction.text(textOf(error))}`;
    engine.note("failure", { ...named(route), message });
  }

  /** @param refusal the error that became the answer, when the call was refused */
  answer(route: AnyRoute | undefined, { status, code, headers }: RawAnswer, refusal?: HttpError): void {
    const { redaction } = this.#engine.journal;
    const fields = refusal && fieldsIn(refusal);
    this.#engine.note(
      "answer",
      {
        ...named(route),
        status,
        ...(code === undefined ? {} : { code }),
        ...(headers["idempotent-replayed"] === undefined ? {} : { replayed: true }),
      },
      refusal && {
        problem: redaction.text(problemIn(refusal)),
        ...(fields === undefined ? {} : { fields: redaction.text(fields) }),
      },
    );
  }

  #warn(route: AnyRoute | undefined, message: string, volatile?: VolatileOf<"warning">): void {
    this.#engine.note("warning", { ...named(route), message }, volatile);
  }
}

/** Says which fields are wrong, or what else is. */
function problemIn({ message, errors }: HttpError): string {
  const fields = errors
    .slice(0, MOST_PROBLEMS)
    .map(({ path, message: problem }) => `${path === "" ? "the body" : path}: ${problem}`);
  return (fields.length === 0 ? message : fields.join("; ")).slice(0, LONGEST_PROBLEM);
}

/** Names the fields that are wrong; undefined when the body as a whole is, or something else. */
function fieldsIn({ errors }: HttpError): string | undefined {
  const paths = errors.map(({ path }) => path).filter((path) => path !== "");
  const more = paths.length - MOST_PROBLEMS;
  const first = paths.slice(0, MOST_PROBLEMS).join(", ").slice(0, LONGEST_PROBLEM);
  return first === "" ? undefined : `${first}${more > 0 ? ` and ${more} more` : ""}`;
}

function named(route: AnyRoute | undefined): { route?: string } {
  return route === undefined ? {} : { route: route.name };
}
