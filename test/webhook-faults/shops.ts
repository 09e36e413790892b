import { createSimulator, type Fault, type Simulator, type SimulatorOptions } from "centavo";
import { CentavoError, verifyWebhook, type VerifyWebhookOptions } from "centavo/webhooks";
import { Merchant } from "../webhooks/merchant.ts";

const START = Date.parse("2026-01-01T00:00:00Z");

/** What a merchant's code makes of a webhook: the event, or the refusal of its signature. */
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

/** A merchant with an app of its own, which verifies what comes before it answers. */
export interface Shop {
  readonly merchant: Merchant;
  readonly received: Received[];
  readonly secret: string;
  readonly merchantId: string;
  /** The last part of the type of each verified event, in the order of arrival. */
  readonly types: () => string[];
  readonly seconds: () => number[];
}

type Answer = (received: Received, count: number) => Response | Promise<Response>;

/** A simulator with faults, and the shop of its first merchant. */
export async function shopWith(
  faults: readonly Fault[],
  {
    options = {},
    answer = () => new Response(),
    verify = {},
  }: { options?: SimulatorOptions; answer?: Answer; verify?: VerifyWebhookOptions } = {},
): Promise<Shop & { readonly sim: Simulator }> {
  const sim = createSimulator({ webhookUrl: "https://shop.example/hooks", ...options });
  const shop = await openShop(sim, "https://shop.example", sim.credentials, answer, verify);
  for (const fault of faults) sim.faults.add(fault);
  return { sim, ...shop };
}

/** A second merchant of the same service, at an origin of its own. */
export async function secondShop(sim: Simulator, answer: Answer = () => new Response()): Promise<Shop> {
  const response = await sim.fetch(`${sim.authUrl}/merchants`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-admin-key": sim.credentials.adminKey },
    body: JSON.stringify({ name: "Second", email: "b@shop.example", webhookUrl: "https://second.example/hooks" }),
  });
  const { data } = (await response.json()) as { data: Simulator["credentials"] & { id: string } };
  return { ...(await openShop(sim, "https://second.example", data, answer)), merchantId: data.id };
}

async function openShop(
  sim: Simulator,
  origin: string,
  credentials: Simulator["credentials"],
  answer: Answer,
  verify: VerifyWebhookOptions = {},
): Promise<Shop> {
  const merchant = new Merchant(sim.fetch, sim.baseUrl);
  await merchant.logIn(`${sim.authUrl}/oauth`, credentials);
  const received: Received[] = [];
  const secret = credentials.webhookSecret;
  sim.connect(origin, async (request) => {
    const arrival = await receive(request, secret, verify);
    received.push({ ...arrival, second: (Date.parse(sim.clock.now()) - START) / 1000 });
    return answer(received.at(-1) as Received, received.length);
  });
  return {
    merchant,
    received,
    secret,
    merchantId: "",
    types: () => received.map(({ event }) => event?.type.replace(/^.*\./, "") ?? "refused"),
    seconds: () => received.map(({ second }) => second),
  };
}

export async function receive(
  request: Request,
  secret: string,
  options: VerifyWebhookOptions = {},
): Promise<Omit<Received, "second">> {
  const body = await request.clone().text();
  try {
    return { body, event: await verifyWebhook(request, secret, options) };
  } catch (error) {
    if (!(error instanceof CentavoError)) throw error;
    return { body, refusal: `${error.code}: ${error.message}` };
  }
}

/** Every event and attempt, as two runs are compared. */
export function deliveriesOf(sim: Simulator): object {
  return { events: sim.webhooks.events(), attempts: sim.webhooks.attempts(), now: sim.clock.now() };
}
