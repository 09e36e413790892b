import type { Engine } from "../engine/engine.ts";
import type { Answers } from "./answers.ts";
import { CallReader, problemsWith } from "./call-reader.ts";
import type { AnyCall, Arrival } from "./call-reader.ts";
import { scopeOf } from "./faulty-calls.ts";
import { HttpError } from "./http-error.ts";
import type { IdempotencyKeys } from "./idempotency.ts";
import type { HttpPolicies } from "./policies.ts";
import { Problem } from "./problem.ts";
import { RateLimit } from "./rate-limit.ts";
import { filledPath } from "./route-path.ts";
import type { RequestInputs } from "./request-inputs.ts";
import type { RequestJournal } from "./request-journal.ts";
import type { AnyRoute, RawAnswer } from "./route.ts";
import type { Match, MountedRoute, Routers } from "./router.ts";

/** What `OwnAnswers` needs. */
export interface OwnAnswersOptions {
  readonly engine: Engine;
  readonly policies: HttpPolicies;
  readonly routers: Routers;
  /** Returns the commands of a resource. */
  readonly commandsOf: (resource: object) => unknown;
  readonly idempotency: IdempotencyKeys;
  readonly answers: Answers;
  readonly journal: RequestJournal;
  /** The recording, if there is one. */
  readonly inputs: RequestInputs | undefined;
}

/** What the service answers by itself, before any fault changes it: routing, credentials, validation, one unit. */
export class OwnAnswers {
  readonly #options: OwnAnswersOptions;
  readonly #calls: CallReader;

  constructor(options: OwnAnswersOptions) {
    const { engine, policies } = options;
    this.#options = options;
    this.#calls = new CallReader(policies, new RateLimit(engine, policies));
  }

  /** Serves a call, and journals it and its answer. */
  to(arrival: Arrival): RawAnswer {
    const { engine, policies, commandsOf, journal, inputs, answers } = this.#options;
    const ignored: string[] = [];
    let route: AnyRoute | undefined;
    let noted = false;
    try {
      const { mounted, params } = this.#match(arrival);
      const called = mounted.route;
      const commands = commandsOf(mounted.resource);
      route = called;
      policies.onCall?.(called);
      const call = this.#calls.read(arrival, called, commands, params, ignored);
      const path = filledPath(called.path, params);
      if (called.isDocument) return this.#run(called, commands, call, { ...arrival, path });
      journal.request(arrival, route, call);
      noted = true;
      if (ignored.length > 0) journal.ignored(route, ignored);
      const answer = engine.unit(() => this.#run(called, commands, call, { ...arrival, path }));
      journal.answer(route, answer);
      return answer;
    } catch (error) {
      if (!noted) {
        journal.request(arrival, route);
        if (arrival.recorded !== undefined && !arrival.underFaults) inputs?.refused(arrival.recorded, error);
      }
      const refusal = this.#errorOf(error, route);
      const answer = answers.ofError(refusal, route, arrival.headers);
      journal.answer(route, answer, refusal);
      return answer;
    }
  }

  /** Finds the route of a call. Where credentials come first, a call to no route needs one to learn that. */
  #match({ part, method, path, headers }: Arrival): Match<MountedRoute> {
    const { policies, routers } = this.#options;
    const router = routers.of(part);
    try {
      return router.match(method, path);
    } catch (problem) {
      const credential = router.credentialAt(path) ?? policies.usualCredential;
      if (credential !== undefined && policies.order?.()?.credential === "first")
        policies.authenticate(credential, headers);
      throw problem;
    }
  }

  /** Returns the service's own error for something thrown. Anything but a `Problem` or an `HttpError` is a defect. */
  #errorOf(thrown: unknown, route: AnyRoute | undefined): HttpError {
    const { journal, policies } = this.#options;
    if (thrown instanceof HttpError) return thrown;
    if (!(thrown instanceof Problem)) journal.defect(route, thrown);
    return policies.errorOf(thrown instanceof Problem ? thrown : new Problem("internal"), route);
  }

  #run(route: AnyRoute, commands: unknown, call: AnyCall, arrival: Arrival): RawAnswer {
    const { answers, idempotency } = this.#options;
    const { method, headers, path } = arrival;
    const work = (): RawAnswer => {
      const problems = problemsWith(call, route, commands);
      if (problems.length > 0) throw this.#calls.invalid(problems);
      return answers.of(route.handle(call as never, commands as never), route);
    };
    const ignoresKey = method === "GET" || method === "HEAD" || route.idempotent === false;
    const key = ignoresKey ? undefined : headers["idempotency-key"];
    if (key === undefined) return work();
    return idempotency.run(key, scopeOf(call.merchantId, method, path), [call.query, call.body], work);
  }
}
