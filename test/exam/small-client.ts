import { createHmac } from "node:crypto";
import type { Opening } from "centavo/exam";

/** What a small merchant reads from an answer of the service. */
export interface Answer<Data> {
  readonly data?: Data;
  readonly redirectUrl?: string;
}

/** Returns how a small merchant calls the service: it tries up to four times, with another token if the first is refused. */
export function smallClient({ sim, fetch, timeout }: Opening<never>) {
  let token: Promise<string> | undefined;

  const login = async (): Promise<string> => {
    const { clientId, clientSecret } = sim.credentials;
    const fields = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const answer = await fetch(`${sim.authUrl}/oauth`, {
      method: "POST",
      body: new URLSearchParams(fields),
      signal: timeout("20 seconds"),
    });
    return ((await answer.json()) as { access_token: string }).access_token;
  };

  return async <Data>(method: string, path: string, body?: object, key?: string): Promise<Answer<Data>> => {
    for (let tries = 1; ; tries += 1) {
      try {
        token ??= login();
        const headers = new Headers({ authorization: `Bearer ${await token}`, "content-type": "application/json" });
        if (key !== undefined) headers.set("idempotency-key", key);
        const answer = await fetch(sim.baseUrl + path, {
          method,
          headers,
          signal: timeout("20 seconds"),
          ...(body && { body: JSON.stringify(body) }),
        });
        if (answer.status === 401) token = undefined;
        if (tries === 4 || (answer.status < 500 && answer.status !== 401 && answer.status !== 429))
          return (await answer.json()) as Answer<Data>;
      } catch (error) {
        token = undefined;
        if (tries === 4) throw error;
      }
    }
  };
}

/** How old a delivery may be, in seconds. */
const TOLERANCE = 300;

/** Returns the text of an event if its signature is right and new. */
export async function signedText(request: Request, secret: string, now: Date): Promise<string | undefined> {
  const text = await request.text();
  const header = request.headers.get("x-webhook-signature") ?? "";
  const fields = new Map(header.split(",").map((field) => field.split("=", 2) as [string, string]));
  const expected = createHmac("sha256", secret)
    .update(`${fields.get("t")}.${text}`)
    .digest("hex");
  const age = Math.abs(now.getTime() / 1000 - Number(fields.get("t")));
  return fields.get("te") === expected && age <= TOLERANCE ? text : undefined;
}
