import { createSimulator, type Fault, type Simulator, type SimulatorOptions } from "centavo";
import { CentavoError, verifyWebhook, type VerifyWebhookOptions } from "centavo/webhooks";
import { Merchant, type Arrival } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";

const START = Date.parse("2026-01-01T00:00:00Z");

/** A webhook as the merchant's code verifies it: the event, or why it refuses the signature. */
export interface Received {
  readonly event?: {
    readonly id: string;
    readonly type: string;
    readonly createdAt: string;
    readonly [field: string]: unknown;
  };
  readonly refusal?: string;
  readonly body: string;
  /** Seconds of virtual time since the simulator's beginning. */
  readonly second: number;
}

/** A merchant whose app verifies what comes before it answers. */
export interface VerifyingMerchant {
  readonly sim: Simulator;
  readonly merchant: Merchant;
  readonly received: Received[];
  /** The last part of the type of each verified event, in the order of arrival. */
  readonly types: () => string[];
  readonly seconds: () => number[];
}

type Answer = (received: Received, count: number) => Response | Promise<Response>;

/** The first merchant of a simulator with faults. */
export async function merchantWith(
  faults: readonly Fault[],
  { options = {}, answer, verify }: { options?: SimulatorOptions; answer?: Answer; verify?: VerifyWebhookOptions } = {},
): Promise<VerifyingMerchant> {
  const sim = createSimulator({ webhookUrl: HOOKS, ...options });
  const verifying = connected(await Merchant.of(sim), SHOP, answer, verify);
  for (const fault of faults) sim.faults.add(fault);
  return verifying;
}

/** A second merchant of the same service, at another origin. */
export async function secondMerchant(first: Merchant): Promise<VerifyingMerchant> {
  const origin = "https://second.example";
  const registration = { name: "Second", email: "b@shop.example", webhookUrl: `${origin}/hooks` };
  return connected(await first.neighbour(registration), origin);
}

function connected(
  merchant: Merchant,
  origin: string,
  answer: Answer = () => new Response(),
  verify?: VerifyWebhookOptions,
): VerifyingMerchant {
  const received: Received[] = [];
  merchant.connect(async (arrival) => {
    const event = await receive(arrival, merchant.credentials.webhookSecret, verify);
    const second = (Date.parse(arrival.at) - START) / 1000;
    received.push({ ...event, second });
    return answer(received.at(-1) as Received, received.length);
  }, origin);
  return {
    sim: merchant.sim,
    merchant,
    received,
    types: () => received.map(({ event }) => event?.type.replace(/^.*\./, "") ?? "refused"),
    seconds: () => received.map(({ second }) => second),
  };
}

/** Verifies a webhook, and returns the event or why it is refused. */
export async function receive(
  { headers, body }: Pick<Arrival, "headers" | "body">,
  secret: string,
  options?: VerifyWebhookOptions,
): Promise<Omit<Received, "second">> {
  try {
    return { body, event: await verifyWebhook({ headers, body }, secret, options) };
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    return { body, refusal: `${error.code}: ${error.message}` };
  }
}

/** Every event and attempt, as two runs are compared. */
export function deliveriesOf(sim: Simulator): object {
  return { events: sim.webhooks.events(), attempts: sim.webhooks.attempts(), now: sim.clock.now() };
}
