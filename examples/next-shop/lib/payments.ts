import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { setting } from "./setting.ts";

let token: string | undefined;

async function logIn(): Promise<string> {
  const fields = {
    grant_type: "client_credentials",
    client_id: setting("PAY_CLIENT_ID"),
    client_secret: setting("PAY_CLIENT_SECRET"),
  };
  const init = { method: "POST", body: new URLSearchParams(fields), signal: AbortSignal.timeout(30_000) };
  const answer = await fetch(`${setting("PAY_AUTH_URL")}/oauth`, init);
  if (!answer.ok) throw new Error(`The login failed with ${answer.status}`);
  return ((await answer.json()) as { access_token: string }).access_token;
}

/**
 * Calls the payment service. Each call has an idempotency key, and so it is safe to make it again when no answer comes.
 * @returns the data of the answer, or what a 402 says: the card was declined, or the bank wants to see the customer
 */
export async function call<Data>(
  method: string,
  path: string,
  body?: object,
  key: string = randomUUID(),
): Promise<Data> {
  for (let tries = 1; ; tries += 1) {
    try {
      token ??= await logIn();
      const headers = {
        Authorization: `Bearer ${token}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      };
      const init = { method, headers, body: JSON.stringify(body) ?? null, signal: AbortSignal.timeout(30_000) };
      const answer = await fetch(setting("PAY_BASE_URL") + path, { ...init, cache: "no-store" });
      if (answer.status === 401) token = undefined;
      const { data, ...refusal } = (await answer.json()) as { data?: Data };
      if (answer.ok || answer.status === 402) return data ?? (refusal as Data);
      throw new Error(`The payment service answered ${answer.status}`);
    } catch (error) {
      if (tries === 3) throw error;
      await setTimeout(1000);
    }
  }
}
