import { createSimulator } from "centavo";
import type { Fault, Simulator, SimulatorOptions } from "centavo";
import type { Call } from "../ways-in/clients.ts";

/** A simulator with an intent that waits to be confirmed, made before anything can go wrong. */
export interface Shop {
  readonly sim: Simulator;
  readonly authorization: string;
  readonly intentId: string;
  /** The path of the call that the tests disturb. */
  readonly path: string;
  /** That call, as a client sends it. */
  readonly confirmation: Call & { readonly headers: Record<string, string> };
  /** The same call from memory. */
  readonly confirm: (init?: { readonly key?: string; readonly signal?: AbortSignal }) => Promise<Response>;
}

export async function openShop(options: SimulatorOptions = {}): Promise<Shop> {
  const sim = createSimulator({ baseUrl: "https://api.pay.example", ...options });
  const { clientId, clientSecret } = sim.credentials;
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const token = await sim.fetch(`${sim.authUrl}/oauth`, { method: "POST", body });
  const authorization = `Bearer ${((await token.json()) as { access_token: string }).access_token}`;
  const headers = { authorization, "content-type": "application/json" };
  const created = await sim.fetch("/api/payment-intent", { method: "POST", headers, body: '{"amount":10000}' });
  const intentId = ((await created.json()) as { data: { id: string } }).data.id;
  const path = `/api/payment-intent/${intentId}/confirm`;
  const confirmation = { method: "POST", headers, body: '{"paymentMethodId":"pm_card_approved"}' };
  return {
    sim,
    authorization,
    intentId,
    path,
    confirmation,
    confirm: ({ key, ...init } = {}) =>
      sim.fetch(path, {
        ...confirmation,
        headers: key === undefined ? headers : { ...headers, "idempotency-key": key },
        ...init,
      }),
  };
}

/** What the journal says that faults did, in order. */
export function strikesIn(sim: Simulator): { readonly kind: Fault["kind"]; readonly route: string }[] {
  return sim.journal.entries
    .filter(({ kind, details }) => kind === "fault" && details["act"] === "strike")
    .map(({ details }) => ({ kind: details["kind"] as Fault["kind"], route: String(details["route"]) }));
}

/** Whatever was thrown. */
export async function failureOf(call: Promise<unknown>): Promise<Error> {
  const outcome: unknown = await call.catch((reason: unknown) => reason);
  if (outcome instanceof Error) return outcome;
  throw new Error(`It was not to succeed, and answered ${JSON.stringify(outcome)}`);
}
