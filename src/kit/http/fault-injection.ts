import type { Faults } from "../faults/faults.ts";
import { requestFaults, responseFaults } from "./call-faults.ts";
import type { AnswerOnItsWay, CallEnd, CallOnItsWay, OwnWords } from "./call-faults.ts";
import type { CallOccasion } from "./call-selectors.ts";
import { connectionReset } from "./network-errors.ts";
import { HeldCalls } from "./held-calls.ts";
import type { HeldCallsOptions } from "./held-calls.ts";
import type { HttpPolicies } from "./policies.ts";
import type { RawAnswer } from "./route.ts";

/** Every kind of fault between the merchant and the service. */
export const callFaults = [...requestFaults, ...responseFaults] as const;

/** One call to the service, as fault injection sees it. */
export interface FaultyCall {
  readonly occasion: CallOccasion;
  /** Its signal is aborted when the client gives up. */
  readonly request: Request;
  /** Its name in messages, such as `POST /v1/charges`. */
  readonly name: string;
  /** Lets the service answer the call. */
  answer(): RawAnswer;
  /** Journals a call that never reaches the service, and the answer that its client gets instead. */
  reject(answer?: RawAnswer): void;
  /** Called when the call begins to wait for the clock. Returns the function to call when the wait ends. */
  onWaiting(): () => void;
}

/** What `CallFaults` needs of the rest of the service. */
export interface CallFaultsOptions extends HeldCallsOptions {
  readonly faults: Faults;
  readonly policies: HttpPolicies;
}

/** Injects faults between the merchant and the service: before the service sees a call, and on the way back. */
export class CallFaults {
  readonly #faults: Faults;
  readonly #held: HeldCalls;
  readonly #service: OwnWords;

  constructor(options: CallFaultsOptions) {
    this.#faults = options.faults;
    this.#service = ownWordsOf(options.policies);
    this.#held = new HeldCalls(options);
  }

  /** How many calls faults hold without an answer. */
  get heldCalls(): number {
    return this.#held.count;
  }

  /** The names of the calls that hang, in the order in which they came. */
  get hanging(): string[] {
    return this.#held.silent;
  }

  /** Breaks the connection of every call that hangs, as a network does in the end. */
  breakSilence(): void {
    this.#held.breakSilence(() => connectionReset());
  }

  /** Breaks the connection of every call that has no answer yet, with the error of its name. */
  breakOff(errorOf: (call: string) => Error): void {
    this.#held.breakOff(errorOf);
  }

  /**
   * Takes a call through the faults in front of the service, the service itself, and the faults on the way back. A call that is held
   * waits for the virtual clock; the service answers it even when the client has given up.
   * @throws an Error with `code` and `errno` when the network fails, and the signal's reason when the client gave up
   */
  exchange(call: FaultyCall): Promise<RawAnswer> {
    const { request, name } = call;
    const { signal } = request;
    return new Promise((resolve, reject) => {
      if (signal.aborted) reject(signal.reason);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      const finish = (end: CallEnd): void => {
        if (end === "silence") this.#held.keepSilent({ request, name, breakOff: reject });
        else if ("error" in end) reject(end.error);
        else resolve(end.answer);
      };
      const arriving = this.#onTheWayIn(call);
      this.#wait(arriving.delay, call, reject, () => {
        const { end } = arriving;
        if (end !== undefined) {
          call.reject(typeof end === "object" && "answer" in end ? end.answer : undefined);
          finish(end);
          return;
        }
        const response = this.#onTheWayBack(call, call.answer());
        this.#wait(response.delay, call, reject, () => finish(response.end ?? { answer: response.answer }));
      });
    });
  }

  #onTheWayIn({ occasion, request: { url } }: FaultyCall): CallOnItsWay {
    return this.#faults.fire<CallOnItsWay>(requestFaults, occasion, { url, service: this.#service, delay: 0 }, hasEnd);
  }

  #onTheWayBack({ occasion }: FaultyCall, given: RawAnswer): AnswerOnItsWay {
    const response = { given, service: this.#service, answer: given, delay: 0 };
    return this.#faults.fire<AnswerOnItsWay>(responseFaults, occasion, response, hasEnd);
  }

  #wait(delay: number, call: FaultyCall, breakOff: (error: Error) => void, goOn: () => void): void {
    if (delay === 0) {
      goOn();
      return;
    }
    const stop = call.onWaiting();
    const { request, name } = call;
    this.#held.hold(delay, call.occasion.note, {
      request,
      name,
      goOn: () => {
        stop();
        goOn();
      },
      breakOff: (error) => {
        stop();
        breakOff(error);
      },
    });
  }
}

function hasEnd({ end }: { readonly end?: CallEnd }): boolean {
  return end !== undefined;
}

function ownWordsOf(policies: HttpPolicies): OwnWords {
  return {
    isRefusal: (answer) => policies.isRefusal?.(answer) ?? (answer.status >= 400 && answer.status < 500),
    errorBody: (status) => policies.failureOfStatus(status),
    errorOfCode: (code) => {
      const error = policies.errorOfCode(code);
      return { status: policies.statusOf?.(error) ?? error.status, body: policies.failure(error) };
    },
    get unfinishedBody() {
      const id = '"id":"';
      const whole = JSON.stringify(policies.success?.({ id: "" }) ?? { id: "" });
      return whole.slice(0, whole.lastIndexOf(id) + id.length);
    },
  };
}
