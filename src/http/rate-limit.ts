import type { Assumptions } from "../assumptions/assumptions.ts";
import { durationMilliseconds } from "../engine/duration.ts";
import type { Engine } from "../engine/engine.ts";
import type { Table } from "../engine/table.ts";
import { ApiError } from "./errors.ts";

interface Window {
  readonly startedAt: number;
  readonly requests: number;
}

/** Counts a merchant's requests in fixed windows of virtual time, where `http.rate-limit` sets a limit. */
export class RateLimit {
  readonly #engine: Engine;
  readonly #assumptions: Assumptions;
  readonly #windows: Table<Window>;

  constructor(engine: Engine, assumptions: Assumptions) {
    this.#engine = engine;
    this.#assumptions = assumptions;
    this.#windows = engine.table("rate-limit-windows");
  }

  /** @throws {ApiError} `RATE_LIMITED` with `Retry-After` in virtual seconds */
  count(merchantId: string): void {
    const limit = this.#assumptions.value("http.rate-limit");
    if (limit === "none") return;
    const { now } = this.#engine;
    const length = durationMilliseconds(limit.per);
    const current = this.#windows.get(merchantId);
    const window =
      current !== undefined && now < current.startedAt + length ? current : { startedAt: now, requests: 0 };
    if (window.requests >= limit.requests) {
      const seconds = Math.ceil((window.startedAt + length - now) / 1000);
      throw new ApiError("RATE_LIMITED", {
        message: `Too many requests: ${limit.requests} are allowed in ${limit.per}`,
        headers: { "retry-after": String(seconds) },
      });
    }
    this.#engine.unit(() => this.#windows.set(merchantId, { ...window, requests: window.requests + 1 }));
  }
}
