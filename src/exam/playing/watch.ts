import type { Simulator } from "../../simulator/simulator.ts";
import type { Cause, MerchantProcess } from "../../merchant/process/merchant-process.ts";
import type { Observations, ObservedAct } from "./observations.ts";
import { Secrets, bodyOf } from "./secrets.ts";
import { wordsIn } from "./tellings.ts";

/** Watches whether the merchant's program answers, and whether it leaks secrets. */
export class Watch {
  readonly secrets: Secrets;
  readonly #seen: Observations;
  readonly #sim: Pick<Simulator, "baseUrl">;
  readonly #now: () => number;

  /** @param now the virtual time, in milliseconds since 1970 */
  constructor(sim: Pick<Simulator, "baseUrl" | "credentials">, seen: Observations, now: () => number) {
    this.#sim = sim;
    this.#seen = seen;
    this.#now = now;
    this.secrets = new Secrets(sim.credentials, (what) => seen.leaks.push(what));
  }

  /** Watches a request until it is answered, or its program has ended. */
  begins(
    process: MerchantProcess,
    { kind, id, act }: Omit<Cause, "waiting">,
    request: Request,
    work: Promise<Response>,
  ): void {
    const what = `${request.method} ${new URL(request.url).pathname}`;
    const unanswered = { kind, what, id };
    this.#seen.unanswered.add(unanswered);
    const isOver = (): boolean => this.#seen.unanswered.delete(unanswered);
    const asked: ObservedAct["request"] = { what };
    const observed = this.#seen.acts.findLast((each) => each.id === id && each.act === act);
    if (observed !== undefined) observed.request = asked;
    const { acts, readings, tellings } = this.#seen;
    const readingsBefore = readings.length;
    const look = async (answer: unknown): Promise<void> => {
      isOver();
      if (!(answer instanceof Response)) return;
      asked.status = answer.status;
      if (kind !== "act") return;
      const telling = { at: this.#now(), status: answer.status, readingsBefore, readingsUntil: readings.length };
      const body = await bodyOf(answer);
      const leads = body.replaceAll("\\/", "/").includes(`${this.#sim.baseUrl}/`);
      this.secrets.look(what, request.url, answer, body);
      const words = wordsIn(body, [...new Set(acts.map((each) => each.id))], request.url);
      for (const told of new Set([...words.keys(), ...(act === undefined || id === undefined ? [] : [id])]))
        tellings.push({ ...telling, leads, id: told, word: words.get(told) });
    };
    void work.then(look, (error: unknown) => {
      isOver();
      if (error instanceof Error) this.#seen.thrownByMerchant.add(error);
    });
    void process.ended.then(isOver);
  }
}
