import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import { defineFixture } from "../fixture.ts";
import { auth } from "./resource.ts";

/** An access token as the token service issues it. */
export interface TokenFixture {
  readonly accessToken: string;
  readonly refreshToken: string;
  /** ISO 8601, UTC. From this moment on, the token is refused. */
  readonly expiresAt: string;
  readonly status: "valid" | "expired";
}

/** An access token: `valid` by default, or `expired`. */
export interface TokenOptions {
  readonly status?: TokenFixture["status"];
}

interface TokenAnswer {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

export interface TokenMaker {
  /** Requests an access token for the first merchant, and lets it expire if the status is `expired`. */
  token(options?: TokenOptions): Promise<TokenFixture>;
}

export const tokens = defineFixture<TokenMaker>()({
  make: "token",
  statuses: ["valid", "expired"],
  usual: "valid",
  fields: [],
  begin:
    () =>
    async ({ sim, of }) => {
      const { clientId, clientSecret } = sim.credentials;
      const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
      const response = await sim.fetch(sim.authUrl + of(auth).paths.token, { method: "POST", body });
      const answer = (await response.json()) as TokenAnswer & { readonly data?: TokenAnswer };
      // `auth.token-response` may wrap the token in an envelope.
      const { access_token: accessToken, refresh_token: refreshToken, expires_in: seconds } = answer.data ?? answer;
      return { accessToken, refreshToken, limit: OriginalDate.parse(sim.clock.now()) + seconds * 1000 };
    },
  steps: { valid: [], expired: [{ until: "expired" }] },
  due: ({ limit }) => limit,
  view: ({ sim }, { limit, ...token }) => ({
    ...token,
    expiresAt: new OriginalDate(limit).toISOString(),
    status: OriginalDate.parse(sim.clock.now()) >= limit ? "expired" : "valid",
  }),
});
