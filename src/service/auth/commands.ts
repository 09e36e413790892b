import { bytesToHex } from "@noble/hashes/utils.js";
import type { Assumptions } from "../assumption-table.ts";
import { areEqualSecrets } from "../../kit/base/runtime/equal-secrets.ts";
import { addDuration } from "../../kit/engine/duration.ts";
import type { Engine } from "../../kit/engine/engine.ts";
import { moment, anyText } from "../../kit/engine/row-schema.ts";
import type { Table } from "../../kit/engine/table.ts";
import { warnProcess } from "../../kit/base/runtime/process-warning.ts";
import { skewOf } from "../../kit/faults/clock-skew.ts";
import type { Faults } from "../../kit/faults/faults.ts";
import { ApiError } from "../api-error.ts";
import type { Call } from "../../kit/http/route.ts";
import type { RequestHeaders } from "../../kit/http/request-headers.ts";
import type { Caller, Credential } from "../route.ts";
import { MOST_UNEXPIRED } from "../../kit/engine/history.ts";
import type { Forgettable } from "../../kit/engine/history.ts";
import { signerOf } from "./access-token.ts";
import type { AccessTokenSigner, PublicKey } from "./access-token.ts";
import { isBasic, readBasic } from "../../kit/http/basic.ts";
import type { Merchant, Merchants } from "./merchants.ts";
import { TokenCalls } from "./token-calls.ts";
import { storedAccessToken, storedRefreshToken } from "./rows.ts";
import type { AccessToken, RefreshToken } from "./rows.ts";
import type { TokenRequest, TokenResponse } from "../schemas/auth.ts";

/** An access token with its text. */
export type IssuedToken = AccessToken & { readonly accessToken: string };

/** What a token request says, and the addresses that its token names. */
type TokenCall = Pick<Call<unknown, unknown, TokenRequest>, "body" | "authorization" | "publicUrl" | "publicAuthUrl">;

/** What a client exchanges for tokens. */
export type Grant = "client_credentials" | "refresh_token";

/** The parts of the service that `Auth` uses. */
export interface AuthOptions {
  readonly engine: Engine;
  readonly assumptions: Assumptions;
  readonly faults: Faults;
  readonly merchants: Merchants;
  /** Returns the intent of a client key, or undefined for any other text (`auth.client-key`). */
  readonly intentOfClientKey: (clientKey: string) => { readonly id: string; readonly merchantId: string } | undefined;
}

/** Issues access and refresh tokens for OAuth 2.0 client credentials, and checks the credential of every call (part 5). */
export class Auth {
  readonly #options: AuthOptions;
  readonly calls: TokenCalls;
  readonly #accessTokens: Table<AccessToken>;
  readonly #refreshTokens: Table<RefreshToken>;
  /** When the last refresh token of each ended family expires. */
  readonly #endedFamilies: Table<number>;
  readonly #keys: Table<string>;
  #signer: AccessTokenSigner | undefined;
  /** The access tokens that the last reset has ended. They are no part of the world. */
  #endedByReset = new Set<string>();

  constructor(options: AuthOptions) {
    const { engine } = options;
    this.#options = options;
    this.calls = new TokenCalls(options.assumptions);
    this.#accessTokens = engine.table("access-tokens", { row: storedAccessToken, identifies: ["id"] });
    this.#refreshTokens = engine.table("refresh-tokens", { row: storedRefreshToken, identifies: ["id"] });
    this.#endedFamilies = engine.table("ended-refresh-token-families", { row: moment });
    this.#keys = engine.table("service-keys", {
      row: anyText,
      keys: { key: (key) => key },
      identifies: ["key"],
    });
  }

  /** How a bounded world forgets tokens and ended families: once they have expired. */
  get expiring() {
    return {
      accessTokens: this.#untilExpiry(this.#accessTokens, ({ expiresAt }) => expiresAt),
      refreshTokens: this.#untilExpiry(this.#refreshTokens, ({ expiresAt }) => expiresAt),
      endedFamilies: this.#untilExpiry(this.#endedFamilies, (expiresAt) => expiresAt),
    };
  }

  #untilExpiry<Row>(rows: Table<Row>, expiryOf: (row: Row) => number): Forgettable {
    const { engine } = this.#options;
    return {
      isNeeded: (id) => {
        const row = rows.get(id);
        return row !== undefined && expiryOf(row) > engine.now;
      },
      mostNeeded: MOST_UNEXPIRED,
      forget: (ids) => rows.forget(ids),
    };
  }

  /**
   * Generates the service's keys, in the unit that begins a world.
   * @param adminKey the key that the test gives
   */
  begin(adminKey: string | undefined): void {
    const { random } = this.#options.engine;
    this.#keys.set("admin-key", adminKey ?? random.base62("secret/admin-key", 32, "ak_fake_"));
    this.#keys.set("signing-key", bytesToHex(random.bytes("secret/signing-key", 48)));
    this.#signer = undefined;
  }

  issuedTokens(): readonly IssuedToken[] {
    return this.#accessTokens.entries().map(([accessToken, token]) => Object.assign({ accessToken }, token));
  }

  /** Makes access tokens of another world valid in this one. */
  keepTokens(tokens: readonly IssuedToken[]): void {
    for (const { accessToken, ...token } of tokens) this.#know(accessToken, token);
  }

  /** Remembers tokens that a reset has ended, to warn of a client that keeps one. */
  noteReset(tokens: readonly IssuedToken[]): void {
    if (tokens.length > 0) this.#endedByReset = new Set(tokens.map(({ accessToken }) => accessToken));
  }

  #know(accessToken: string, token: AccessToken): void {
    this.#accessTokens.set(accessToken, token);
    this.#options.engine.history.finish("access-tokens", accessToken);
  }

  get adminKey(): string {
    return this.#keys.get("admin-key") as string;
  }

  get publicKey(): PublicKey {
    return this.#signing.publicKey;
  }

  /** Returns the body of an answer to a token call. */
  written(token: TokenResponse): unknown {
    return this.calls.written(token, this.#options.engine.now);
  }

  get assumptions(): Assumptions {
    return this.#options.assumptions;
  }

  get merchants(): Merchants {
    return this.#options.merchants;
  }

  /**
   * Identifies the caller.
   * @throws {ApiError} `UNAUTHORIZED` when the credential does not authorise the call
   */
  readonly authenticate = (credential: Credential, headers: RequestHeaders): Caller => {
    if (credential === "none") return { kind: "nobody" };
    if (credential === "admin-key") {
      const key = headers["x-admin-key"];
      if (key !== undefined && areEqualSecrets(key, this.adminKey)) return { kind: "admin" };
      throw new ApiError("UNAUTHORIZED", {
        message: key === undefined ? "The header X-Admin-Key is missing" : "Invalid admin key",
      });
    }
    return this.#authenticateBearer(headers.authorization, credential === "bearer-or-client-key");
  };

  #tokenOf(header: string): string {
    return /^Bearer /i.test(header) ? header.slice(7).trim() : "";
  }

  #authenticateBearer(header: string | undefined, clientKeyAllowed: boolean): Caller {
    const { engine, assumptions, intentOfClientKey } = this.#options;
    assumptions.use(["auth.jwt"]);
    if (header === undefined || header === "") {
      const { missing = "The header Authorization is missing" } = assumptions.value("http.token-messages");
      throw new ApiError("UNAUTHORIZED", {
        message: missing,
        headers: { "www-authenticate": "Bearer" },
      });
    }
    const token = this.#tokenOf(header);
    // Looking the token up is enough: a token with another algorithm, key, issuer or audience is a different string. A table finds a token or
    // a client key by a hash of all of it, so the time tells nobody how much of a guess is right.
    const known = this.#accessTokens.get(token);
    if (known !== undefined && known.expiresAt > engine.now) return { kind: "merchant", merchantId: known.merchantId };
    const intent = known === undefined ? intentOfClientKey(token) : undefined;
    if (intent !== undefined) assumptions.use(["auth.client-key"]);
    if (intent !== undefined && clientKeyAllowed)
      return { kind: "client-key", merchantId: intent.merchantId, intentId: intent.id };
    if (known === undefined && this.#endedByReset.delete(token)) this.#warnOfReset();
    assumptions.use(["time.boundaries"]);
    const { unknown = "Invalid access token", expired = "Token expired" } = assumptions.value("http.token-messages");
    const message = known === undefined ? unknown : expired;
    // RFC 6750 has a description without quotes, and a header takes no other letters.
    const described = /^[ !#-[\]-~]+$/.test(message) ? `, error_description="${message}"` : "";
    throw new ApiError("UNAUTHORIZED", {
      message,
      headers: { "www-authenticate": `Bearer error="invalid_token"${described}` },
    });
  }

  #warnOfReset(): void {
    const message =
      "A call was refused with 401, because its access token is from before sim.reset(). Call sim.reset({ keepTokens: true }) to keep " +
      "tokens valid, or let your app log in again after a 401.";
    this.#options.engine.note("warning", {}, { message, isTokenOfResetWorld: true });
    warnProcess(message);
  }

  /**
   * Exchanges client credentials or a refresh token, one of which is given, for a new pair of tokens (RFC 6749 §4.4, §6).
   * @param only the grant that the path takes, if it takes one alone
   */
  token(call: TokenCall, only?: Grant): TokenResponse | { readonly declined: ApiError } {
    const { body: request, authorization } = call;
    const grant = request.grant_type ?? only ?? "client_credentials";
    if (only !== undefined && grant !== only)
      throw new ApiError("UNSUPPORTED_GRANT_TYPE", { message: `The grant type must be ${only}, not "${grant}"` });
    const client = this.#client(request, authorization);
    if (client === undefined && grant === "client_credentials") throw invalidClient();
    if (grant === "refresh_token") return this.#refresh(call, client);
    if (grant !== "client_credentials") {
      throw new ApiError("UNSUPPORTED_GRANT_TYPE", {
        message: `The grant type must be client_credentials or refresh_token, not "${grant}"`,
      });
    }
    return this.#issue(call, client as Merchant, undefined);
  }

  /**
   * Returns the client that the request authenticates, or undefined when the request has no secret.
   * @throws {ApiError} `INVALID_CREDENTIALS` for a wrong id or secret
   */
  #client(request: TokenRequest, authorization: string | undefined): Merchant | undefined {
    const basic = isBasic(authorization) ? authorization : undefined;
    const { client_id: id, client_secret: secret } = request;
    if (basic === undefined && secret === undefined) return undefined;
    const candidates = basic === undefined ? [{ id: id ?? "", secret: secret ?? "" }] : readBasic(basic);
    for (const candidate of candidates) {
      const merchant = this.#options.merchants.byClientId(candidate.id);
      if (merchant !== undefined && areEqualSecrets(candidate.secret, merchant.clientSecret)) return merchant;
    }
    throw basic === undefined ? new ApiError("INVALID_CREDENTIALS") : invalidClient();
  }

  #refresh(call: TokenCall, client: Merchant | undefined): TokenResponse | { readonly declined: ApiError } {
    const { body: request } = call;
    const { engine, assumptions, merchants } = this.#options;
    const { refresh_token: token = "" } = request;
    const status = assumptions.value("auth.token-errors");
    const known = this.#refreshTokens.get(token);
    const merchant = known === undefined ? undefined : merchants.get(known.merchantId);
    const expired =
      known === undefined || known.expiresAt <= engine.now || this.#endedFamilies.get(known.family) !== undefined;
    if (
      known === undefined ||
      expired ||
      merchant === undefined ||
      (client !== undefined && client.id !== merchant.id)
    ) {
      throw new ApiError("INVALID_REFRESH_TOKEN", { status });
    }
    if (known.used) {
      // The token may be stolen, so the family ends even though the answer is an error.
      this.#endedFamilies.set(known.family, addDuration(engine.now, assumptions.value("auth.refresh")));
      engine.history.finish("ended-refresh-token-families", known.family);
      return { declined: new ApiError("INVALID_REFRESH_TOKEN", { status }) };
    }
    this.#refreshTokens.set(token, { ...known, used: true });
    return this.#issue(call, merchant, known.family);
  }

  #issue({ publicUrl, publicAuthUrl }: TokenCall, merchant: Merchant, family: string | undefined): TokenResponse {
    const { engine, assumptions, faults } = this.#options;
    const lifetime = Math.floor(assumptions.milliseconds("auth.token-lifetime") / 1000);
    const jti = engine.random.id("jti");
    // A skew changes only what the merchant reads. The service checks expiry on the virtual clock.
    const issuedAt = Math.floor((engine.now + skewOf(faults, "token", merchant.id, { jti })) / 1000);
    const tokenExpiresAt = (Math.floor(engine.now / 1000) + lifetime) * 1000;
    const accessToken = this.#signing.sign({
      iss: publicAuthUrl,
      sub: merchant.clientId,
      aud: publicUrl,
      iat: issuedAt,
      exp: issuedAt + lifetime,
      jti,
    });
    this.#know(accessToken, { merchantId: merchant.id, expiresAt: tokenExpiresAt });
    const refreshToken = engine.random.base62("token/refresh", 40, "rt_fake_");
    const expiresAt = addDuration(engine.now, assumptions.value("auth.refresh"));
    this.#refreshTokens.set(refreshToken, { merchantId: merchant.id, family: family ?? jti, expiresAt, used: false });
    engine.history.finish("refresh-tokens", refreshToken);
    engine.note("token", { merchant: merchant.id, jti, expiresAt: tokenExpiresAt });
    return { access_token: accessToken, token_type: "Bearer", expires_in: lifetime, refresh_token: refreshToken };
  }

  get #signing(): AccessTokenSigner {
    return (this.#signer ??= signerOf(this.#keys.get("signing-key") as string));
  }
}

/** Makes the error of a call whose client is not known by HTTP Basic. */
function invalidClient(): ApiError {
  return new ApiError("INVALID_CREDENTIALS", { headers: { "www-authenticate": 'Basic realm="Centavo"' } });
}
