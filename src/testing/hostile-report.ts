import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";

/** One request of a case, and what came of it. */
export interface HostileDelivery {
  readonly method: "POST" | "GET";
  readonly url: string;
  /** Absent where the service itself sent it. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly answer: ReceiverAnswer;
}

/**
 * What a merchant did wrong. `accepted`: it answered 2xx to what it has to refuse. `fulfilled`: it fulfilled an order that was not paid, or
 * fulfilled it again. `changed`: what it knows of the order changed. `refused`: what is genuine was not accepted, or not honoured.
 * `crashed`: it answered 5xx, threw, or did not answer.
 */
export type HostileFaultKind = "accepted" | "fulfilled" | "changed" | "refused" | "crashed";

/** A case that the merchant did not pass. */
export interface HostileFault {
  /** The case's name. */
  readonly name: string;
  readonly kind: HostileFaultKind;
  /** What happened, and why it is wrong. */
  readonly why: string;
  /** What the merchant should do. */
  readonly remedy: string;
  /** Everything that was sent in this case, with the answers. */
  readonly deliveries: readonly HostileDelivery[];
}

/** How one case went. */
export interface HostileResult {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  /** Why it was skipped. */
  readonly reason?: string;
  readonly fault?: HostileFault;
}

/** What came of a hostile delivery pack; prints as a table. */
export class HostileReport {
  /** Every case, in the order in which it was run. */
  readonly cases: readonly HostileResult[];

  constructor(cases: readonly HostileResult[]) {
    this.cases = cases;
  }

  /** What the merchant did wrong, at most one fault a case; empty for a merchant that passes. */
  get faults(): readonly HostileFault[] {
    return this.cases.flatMap(({ fault }) => fault ?? []);
  }

  /** A line for each case, and under each fault what was wrong and what to do about it. */
  toString(): string {
    const width = Math.max(...this.cases.map(({ name }) => name.length));
    const count = (outcome: HostileResult["outcome"]): number =>
      this.cases.filter((each) => each.outcome === outcome).length;
    const lines = this.cases.map(({ name, outcome, reason, fault }) => {
      const why = (fault?.why ?? reason ?? "").replaceAll(/\s*\n\s*/g, " ");
      const line = `${outcome.padEnd(7)}  ${name.padEnd(width)}  ${why}`.trimEnd();
      return fault === undefined ? line : `${line}\n${" ".repeat(width + 11)}→ ${fault.remedy}`;
    });
    const summary = `Hostile deliveries: ${count("passed")} passed, ${count("failed")} failed, ${count("skipped")} skipped`;
    return [summary, ...lines].join("\n");
  }
}
