import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import { defineFixture } from "../fixture.ts";
import { Reading } from "../wire/reading.ts";
import { tokenCall } from "../wire/token-call.ts";
import { auth } from "./resource.ts";

/** An access token as the token service issues it. */
export interface TokenFixture {
  readonly accessToken: string;
  /** Empty where the service gives none (`auth.token-response`). */
  readonly refreshToken: string;
  /** ISO 8601, UTC. From this moment on, the token is refused. */
  readonly expiresAt: string;
  readonly status: "valid" | "expired";
}

/** An access token: `valid` by default, or `expired`. */
export interface TokenOptions {
  readonly status?: TokenFixture["status"];
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
      const { calls, assumptions } = of(auth);
      const call = tokenCall(calls.form, { client_id: clientId, client_secret: clientSecret });
      const response = await sim.fetch(sim.authUrl + calls.paths.token, call);
      const { access, refresh = "" } = new Reading(assumptions.overrides).token(await response.json()) ?? {
        access: "",
      };
      const lifetime = assumptions.milliseconds("auth.token-lifetime");
      const limit = OriginalDate.parse(sim.clock.now()) + Math.floor(lifetime / 1000) * 1000;
      return { accessToken: access, refreshToken: refresh, limit };
    },
  steps: { valid: [], expired: [{ until: "expired" }] },
  due: ({ limit }) => limit,
  view: ({ sim }, { limit, ...token }) => ({
    ...token,
    expiresAt: new OriginalDate(limit).toISOString(),
    status: OriginalDate.parse(sim.clock.now()) >= limit ? "expired" : "valid",
  }),
});
