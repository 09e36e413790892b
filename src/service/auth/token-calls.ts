import { filling } from "../../kit/assumptions/template-filling.ts";
import { toTimestamp } from "../../kit/engine/timestamp.ts";
import type { Assumptions } from "../assumption-table.ts";
import type { TokenResponse } from "../schemas/auth.ts";
import { authPathsUnder } from "../wire/paths.ts";
import type { AuthPaths } from "../wire/paths.ts";
import { tokenParts } from "../wire/token-call.ts";
import type { TokenCallForm } from "../wire/token-call.ts";

/** Where token calls stand in one world, and how they and their answers are written. */
export class TokenCalls {
  readonly #assumptions: Assumptions;
  #write: ReturnType<typeof filling> | undefined;

  constructor(assumptions: Assumptions) {
    this.#assumptions = assumptions;
  }

  /** The paths of the token service (`auth.paths`). */
  get paths(): AuthPaths {
    return authPathsUnder(this.#assumptions.overrides);
  }

  /** How callers write a token call (`auth.token-request`). */
  get form(): TokenCallForm {
    return this.#assumptions.overrides["auth.token-request"] ?? {};
  }

  /**
   * Returns the body of an answer (`auth.token-response`).
   * @param now virtual time in milliseconds
   */
  written(token: TokenResponse, now: number): unknown {
    this.#write ??= filling(this.#assumptions.value("auth.token-response"), tokenParts);
    return this.#write({ values: { ...token, expires_at: toTimestamp(now + token.expires_in * 1000) } });
  }
}
