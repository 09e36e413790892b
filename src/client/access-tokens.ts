import type { Reading } from "../service/wire/reading.ts";
import { authPathsUnder } from "../service/wire/paths.ts";
import { tokenCall } from "../service/wire/token-call.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { readBody, ServiceError } from "./service-error.ts";

/** The token service, and the merchant's credentials. */
export interface AccessTokensOptions {
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly assumptions: AssumptionOverrides;
  readonly reading: Reading;
  readonly send: (url: string, init: RequestInit) => Promise<Response>;
}

type Tokens = NonNullable<ReturnType<Reading["token"]>>;

/** The client's access token. Concurrent calls share it, and it is replaced only when the service refuses it (part 5). */
export class AccessTokens {
  readonly #options: AccessTokensOptions;
  #tokens: Promise<Tokens> | undefined;

  constructor(options: AccessTokensOptions) {
    this.#options = options;
  }

  /** Returns the current token, and requests one if there is none. */
  async current(): Promise<string> {
    this.#tokens ??= this.#remember(this.#request({ grant_type: "client_credentials" }));
    return (await this.#tokens).access;
  }

  /** Returns a new token after the service refused this one, unless another call has already replaced it. */
  async after(refused: string): Promise<string> {
    const known = this.#tokens;
    const tokens = await known;
    if (this.#tokens === known && tokens?.access === refused) this.#tokens = this.#remember(this.#replace(tokens));
    return this.current();
  }

  async #replace({ refresh }: Tokens): Promise<Tokens> {
    try {
      if (refresh !== undefined) return await this.#request({ grant_type: "refresh_token", refresh_token: refresh });
    } catch (error) {
      if (!(error instanceof ServiceError) || isDown(error)) throw error;
    }
    return this.#request({ grant_type: "client_credentials" });
  }

  /** Forgets a request that fails, so that the next call tries again. */
  #remember(tokens: Promise<Tokens>): Promise<Tokens> {
    tokens.catch(() => {
      if (this.#tokens === tokens) this.#tokens = undefined;
    });
    return tokens;
  }

  async #request(grant: { readonly grant_type: string; readonly refresh_token?: string }): Promise<Tokens> {
    const { authUrl, clientId, clientSecret, assumptions, reading, send } = this.#options;
    const path = authPathsUnder(assumptions)[grant.grant_type === "refresh_token" ? "refresh" : "token"];
    const form = assumptions["auth.token-request"] ?? {};
    const call = tokenCall(form, { ...grant, client_id: clientId, client_secret: clientSecret });
    const headers = { accept: "application/json", ...call.headers };
    const response = await send(authUrl + path, { ...call, headers });
    const body = await readBody(response);
    const tokens = response.ok ? reading.token(body) : undefined;
    if (tokens === undefined) throw new ServiceError(`POST ${path}`, response.status, body, reading);
    return tokens;
  }
}

function isDown({ code, status }: ServiceError): boolean {
  return status >= 500 || code === "INTERNAL_ERROR";
}
