import { messageOf } from "../../errors/thrown-values.ts";
import { takeUnhandled } from "../../runtime/unhandled.ts";
import type { Credentials } from "../../simulator/simulator.ts";
import { doing } from "./merchant-process.ts";
import type { Cause, MerchantProcess } from "./merchant-process.ts";
import type { Observations } from "./observations.ts";
import { Secrets } from "./secrets.ts";

/** Watches how the merchant's program behaves: whether it answers, crashes, or tells secrets. */
export class Watch {
  readonly secrets: Secrets;
  readonly #seen: Observations;
  readonly #processes = new Set<MerchantProcess>();
  readonly #stopTaking: () => void;

  constructor(credentials: Credentials, seen: Observations) {
    this.#seen = seen;
    this.secrets = new Secrets(credentials, (what) => seen.leaks.push(what));
    this.#stopTaking = takeUnhandled((error) => this.#crashed(error));
  }

  close(): void {
    this.#stopTaking();
  }

  /** Watches a request until it is answered, or its program has ended. */
  begins(
    process: MerchantProcess,
    { kind, id }: Omit<Cause, "waiting">,
    request: Request,
    work: Promise<Response>,
  ): void {
    this.#processes.add(process);
    const what = `${request.method} ${new URL(request.url).pathname}`;
    const unanswered = { kind, what, id };
    this.#seen.unanswered.add(unanswered);
    const isOver = (): boolean => this.#seen.unanswered.delete(unanswered);
    const look = async (answer: unknown): Promise<void> => {
      isOver();
      if (kind === "act" && answer instanceof Response) await this.secrets.look(what, request.url, answer);
    };
    void work.then(look, isOver);
    void process.ended.then(isOver);
  }

  /** Notes an error that the merchant's program did not catch, and returns whether it is one of this program. */
  #crashed(error: unknown): boolean {
    const process = doing.value?.process;
    if (process === undefined || !this.#processes.has(process)) return false;
    if (process.isAlive) this.#seen.crashes.push(messageOf(error));
    return true;
  }
}
