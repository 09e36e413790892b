import type { Credentials } from "../../simulator/simulator.ts";
import type { Cause, MerchantProcess } from "../../merchant/process/merchant-process.ts";
import type { Observations, ObservedAct } from "./observations.ts";
import { Secrets } from "./secrets.ts";

/** Watches whether the merchant's program answers, and whether it leaks secrets. */
export class Watch {
  readonly secrets: Secrets;
  readonly #seen: Observations;

  constructor(credentials: Credentials, seen: Observations) {
    this.#seen = seen;
    this.secrets = new Secrets(credentials, (what) => seen.leaks.push(what));
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
    const look = async (answer: unknown): Promise<void> => {
      isOver();
      if (answer instanceof Response) asked.status = answer.status;
      if (kind === "act" && answer instanceof Response) await this.secrets.look(what, request.url, answer);
    };
    void work.then(look, (error: unknown) => {
      isOver();
      if (error instanceof Error) this.#seen.thrownByMerchant.add(error);
    });
    void process.ended.then(isOver);
  }
}
