import { addDuration } from "../engine/duration.ts";
import type { Engine } from "../engine/engine.ts";
import { MOST_UNEXPIRED } from "../engine/history.ts";
import { moment, shapeOf, anyText } from "../engine/row-schema.ts";
import type { Table } from "../engine/table.ts";
import { sha256Of } from "../base/runtime/sha256.ts";
import { storedAnswer } from "./answers.ts";
import type { HttpPolicies } from "./policies.ts";
import { fieldProblems, Problem } from "./problem.ts";
import type { RawAnswer } from "./route.ts";

const LONGEST_KEY = 255;
const DEFAULT_LIFETIME = "24 hours";

interface KeptAnswer {
  /** Only hashes are kept, of the key too, because either may contain a card number. */
  readonly inputHash: string;
  readonly answer: RawAnswer;
  readonly expiresAt: number;
}

const keptAnswer = shapeOf<KeptAnswer>()(() => ({ inputHash: anyText, answer: storedAnswer, expiresAt: moment }));

/** Answers a repeated call with the answer of the first. */
export class IdempotencyKeys {
  readonly #engine: Engine;
  readonly #policies: HttpPolicies;
  readonly #kept: Table<KeptAnswer>;
  /** The calls that faults hold in this process. */
  readonly #held = new Set<string>();

  constructor(engine: Engine, policies: HttpPolicies) {
    this.#engine = engine;
    this.#policies = policies;
    this.#kept = engine.table("idempotency-keys", {
      row: keptAnswer,
    });
    engine.history.track("idempotency-keys", {
      isNeeded: (id) => (this.#kept.get(id)?.expiresAt ?? 0) > engine.now,
      mostNeeded: MOST_UNEXPIRED,
      forget: (ids) => this.#kept.forget(ids),
    });
  }

  /**
   * Returns the answer that was kept under the key, or runs `work` and keeps its answer if the service keeps such answers. Call it inside a unit.
   * @throws {Problem} when the key is empty or too long, was used with another input before, or belongs to a call that is held
   */
  run(key: string, scope: string, input: unknown, work: () => RawAnswer): RawAnswer {
    const lifetime = this.#policies.idempotencyLifetime?.() ?? DEFAULT_LIFETIME;
    if (lifetime === "off") return work();
    if (key === "" || key.length > LONGEST_KEY)
      throw new Problem("invalid", {
        errors: fieldProblems(["Idempotency-Key"], `must have 1 to ${LONGEST_KEY} characters`),
      });
    const id = this.idOf(key, scope);
    if (this.#held.has(id)) {
      throw new Problem("idempotency-key-in-use", {
        detail: "The first call with this idempotency key is still being answered; try again later",
      });
    }
    const inputHash = hash(input);
    const kept = this.#kept.get(id);
    if (kept !== undefined && kept.expiresAt > this.#engine.now) {
      if (kept.inputHash !== inputHash) throw new Problem("idempotency-key-reused");
      return { ...kept.answer, headers: { ...kept.answer.headers, "idempotent-replayed": "true" } };
    }
    const answer = work();
    if (this.#policies.keepsAnswer?.(answer) ?? answer.status < 300) {
      this.#kept.set(id, { inputHash, answer, expiresAt: addDuration(this.#engine.now, lifetime) });
      this.#engine.history.finish("idempotency-keys", id);
    }
    return answer;
  }

  /** Returns the id of a call with this key. */
  idOf(key: string, scope: string): string {
    return hash([scope, key]);
  }

  /**
   * Marks a call as held. Has no effect for a repeated call while the first one is held.
   * @returns the function that removes the mark
   */
  hold(id: string): () => void {
    if (this.#held.has(id)) return () => undefined;
    this.#held.add(id);
    return () => this.#held.delete(id);
  }
}

/** Values that differ only in the order of their keys have the same hash: in JSON they mean the same. */
function hash(value: unknown): string {
  return sha256Of(JSON.stringify(value, keysInOrder));
}

function keysInOrder(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}
