import { durationMilliseconds } from "../engine/duration.ts";
import type { Engine } from "../engine/engine.ts";
import { count, moment, shapeOf } from "../engine/row-schema.ts";
import type { Table } from "../engine/table.ts";
import type { HttpPolicies } from "./policies.ts";
import { Problem } from "./problem.ts";

interface Window {
  readonly startedAt: number;
  readonly requests: number;
}

const storedWindow = shapeOf<Window>()(() => ({ startedAt: moment, requests: count }));

/** Counts a merchant's requests in fixed windows of virtual time, when the service sets a limit. */
export class RateLimit {
  readonly #engine: Engine;
  readonly #policies: HttpPolicies;
  readonly #windows: Table<Window>;

  constructor(engine: Engine, policies: HttpPolicies) {
    this.#engine = engine;
    this.#policies = policies;
    this.#windows = engine.table("rate-limit-windows", {
      row: storedWindow,
    });
  }

  /** @throws {Problem} `rate-limited` with `Retry-After` in virtual seconds */
  count(merchantId: string): void {
    const limit = this.#policies.rateLimit?.() ?? "none";
    if (limit === "none") return;
    const { now } = this.#engine;
    const length = durationMilliseconds(limit.per);
    const current = this.#windows.get(merchantId);
    const window =
      current !== undefined && now < current.startedAt + length ? current : { startedAt: now, requests: 0 };
    if (window.requests >= limit.requests) {
      const seconds = Math.ceil((window.startedAt + length - now) / 1000);
      throw new Problem("rate-limited", {
        detail: `Too many requests: ${limit.requests} are allowed in ${limit.per}`,
        headers: { "retry-after": String(seconds) },
      });
    }
    this.#engine.unit(() => this.#windows.set(merchantId, { ...window, requests: window.requests + 1 }));
  }
}
