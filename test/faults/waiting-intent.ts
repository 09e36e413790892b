import { createSimulator } from "centavo";
import type { Fault, Simulator, SimulatorOptions } from "centavo";
import { Merchant } from "../merchant.ts";
import type { Call } from "../ways-in/call.ts";

/** An intent that waits to be confirmed, made before anything can go wrong. */
export interface WaitingIntent {
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

export async function waitingIntent(options: SimulatorOptions = {}): Promise<WaitingIntent> {
  const sim = createSimulator({ baseUrl: "https://api.pay.example", ...options });
  const merchant = await Merchant.of(sim);
  const { authorization } = merchant;
  const { id: intentId } = await merchant.createIntent();
  const headers = { authorization, "content-type": "application/json" };
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

/** The effects of faults in order, from the journal. */
export function strikesIn(sim: Simulator): { readonly kind: Fault["kind"]; readonly route: string }[] {
  return sim.journal.entries
    .filter(({ kind, details }) => kind === "fault" && details["act"] === "strike")
    .map(({ details }) => ({ kind: details["kind"] as Fault["kind"], route: String(details["route"]) }));
}

/** What was thrown. */
export async function failureOf(call: Promise<unknown>): Promise<Error> {
  const outcome: unknown = await call.catch((reason: unknown) => reason);
  if (outcome instanceof Error) return outcome;
  throw new Error(`It was not to succeed, and answered ${JSON.stringify(outcome)}`);
}
