import type { ReceiverAnswer } from "../../kit/receivers/receiver-answer.ts";

/** One request of a case, and its answer. */
export interface HostileDelivery {
  readonly method: "POST" | "GET";
  readonly url: string;
  /** Absent if the service itself sent the request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answer: ReceiverAnswer;
}

/**
 * What a merchant did wrong. `accepted`: it answered 2xx to a delivery that it must refuse. `fulfilled`: it fulfilled an unpaid order, or
 * fulfilled an order again. `changed`: it changed what it knows about the order. `refused`: it did not accept or honour a genuine delivery.
 * `crashed`: it answered 5xx, threw, or did not answer.
 */
export type HostileFaultKind = "accepted" | "fulfilled" | "changed" | "refused" | "crashed";

/** A case that the merchant did not pass. */
export interface HostileFault {
  /** The name of the case. */
  readonly name: string;
  readonly kind: HostileFaultKind;
  /** What happened, and why it is wrong. */
  readonly why: string;
  /** What the merchant should do. */
  readonly remedy: string;
  /** Every request of the case, with its answer. */
  readonly deliveries: readonly HostileDelivery[];
}

/** The result of one case. */
export interface HostileResult {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why the case was skipped. */
  readonly reason?: string;
  readonly fault?: HostileFault;
}

/** The report of `hostileDeliveries`. Prints as a table. */
export class HostileReport {
  /** Every case, in the order in which the cases ran. */
  readonly cases: readonly HostileResult[];

  constructor(cases: readonly HostileResult[]) {
    this.cases = cases;
  }

  /** What the merchant did wrong, at most one fault per case. Empty if the merchant passes. */
  get faults(): readonly HostileFault[] {
    return this.cases.flatMap(({ fault }) => fault ?? []);
  }

  /** Prints a line for each case, and for each fault what went wrong and what to do about it. */
  toString(): string {
    const width = Math.max(...this.cases.map(({ name }) => name.length));
    const count = (outcome: HostileResult["outcome"]): number =>
      this.cases.filter((each) => each.outcome === outcome).length;
    const lines = this.cases.map(({ name, outcome, reason, fault }) => {
      const why = (fault?.why ?? reason ?? "").replaceAll(/(?<!\s)\s*\n\s*/g, " ");
      const line = `${outcome.padEnd(7)}  ${name.padEnd(width)}  ${why}`.trimEnd();
      return fault === undefined ? line : `${line}\n${" ".repeat(width + 11)}→ ${fault.remedy}`;
    });
    const summary = `Hostile deliveries: ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
    return [summary, ...lines].join("\n");
  }
}
