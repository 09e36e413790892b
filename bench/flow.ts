import type { Simulator } from "centavo";

/** Sends one call, through any way. */
export type Send = (url: string, init: RequestInit) => Promise<Response>;

export const REQUESTS_OF_A_FLOW = 3;

/** How many connections keep a server busy, and how many flows each runs. */
export const LOAD = { connections: 200, flows: 10 } as const;
export const REQUESTS_OF_THE_LOAD = LOAD.connections * LOAD.flows * REQUESTS_OF_A_FLOW;

/** The calls of a merchant's code for one intent: three requests, with three answers read as JSON. */
export interface Flow {
  /** @returns the intent's id */
  run(): Promise<string>;
}

const json = { "content-type": "application/json" };
let orders = 0;

/** Creates, confirms and reads one intent, with every field of the service document except `webhookUrl`. */
export function intentFlow(
  send: Send,
  baseUrl: string,
  token: string,
  more: { readonly webhookUrl?: string } = {},
): Flow {
  const headers = { authorization: `Bearer ${token}`, ...json };
  const post = async (path: string, body: object): Promise<{ data: { id: string } }> => {
    const response = await send(baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) });
    return read(response);
  };
  return {
    async run() {
      orders += 1;
      const created = await post("/api/payment-intent", {
        amount: 149_900,
        description: "Two tickets",
        externalId: `order-${orders}`,
        contact: { name: "Maria Santos", email: "maria@mail.example", phone: "+639171234567" },
        metadata: { cart: "cart-7", source: "web" },
        returnUrl: "https://shop.example/thanks",
        ...more,
      });
      const { id } = created.data;
      const confirmed = await post(`/api/payment-intent/${id}/confirm`, {
        paymentMethodId: "pm_card_approved",
        contact: { name: "Maria Santos", email: "maria@mail.example" },
      });
      const status = await read(await send(`${baseUrl}/api/payment-intent/${id}/status`, { headers }));
      if (confirmed.data.id !== id || status.data.id !== id)
        throw new Error("The answers are not about the same intent.");
      return id;
    },
  };
}

async function read(response: Response): Promise<{ data: { id: string } }> {
  if (response.status !== 200) throw new Error(`${response.url} answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { data: { id: string } };
}

/** Requests an access token for the simulator's first merchant. */
export async function tokenOf(sim: Pick<Simulator, "credentials" | "fetch">): Promise<string> {
  const { clientId, clientSecret } = sim.credentials;
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const response = await sim.fetch("/oauth", { method: "POST", body });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** A simulator's answers to one flow. A static handler gives them to every flow, so both sides send equally many bytes. */
export interface StaticAnswers {
  readonly id: string;
  readonly create: object;
  readonly confirm: object;
  readonly status: object;
}

/** Records the three answers of one flow. */
export async function recordAnswers(sim: Simulator): Promise<StaticAnswers> {
  const bodies: object[] = [];
  const recording: Send = async (url, init) => {
    const response = await sim.fetch(url, init);
    bodies.push((await response.clone().json()) as object);
    return response;
  };
  const id = await intentFlow(recording, sim.baseUrl, await tokenOf(sim)).run();
  const [create, confirm, status] = bodies as [object, object, object];
  return { id, create, confirm, status };
}

/** A handler with static answers. It reads the request as JSON, as any handler must. */
export function staticHandler({ create, confirm, status }: StaticAnswers): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method === "GET") return Response.json(status);
    await request.json();
    return Response.json(request.url.endsWith("/confirm") ? confirm : create);
  };
}
