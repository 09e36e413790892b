import { createSimulator } from "centavo";
import type { AssumptionOverrides, Simulator } from "centavo";
import { createClient } from "centavo/client";
import { describe, expect, test } from "vitest";
import { everyCall, whole } from "./all-calls.ts";
import { sets } from "./sets.ts";

const SHOP = "https://shop.example";
/** The headers that these assumptions change, beside those of the signature, which hold real time. */
const TOLD = ["authorization", "content-type", "user-agent", "www-authenticate", "allow"];

/** Writes everything that goes over the wire: calls, their answers, and deliveries. */
class Wire {
  readonly #lines: string[] = [];

  /** Returns the simulator, of which every call is written. */
  on(sim: Simulator): Simulator {
    sim.connect(SHOP, async (request) => {
      await this.#write(`→ ${request.method} ${request.url}`, request.headers, request);
      return new Response();
    });
    const send: Simulator["fetch"] = async (input, init) => {
      const request = new Request(new URL(input instanceof Request ? input.url : input, sim.baseUrl), init);
      await this.#write(`${request.method} ${request.url.slice(sim.baseUrl.length)}`, request.headers, request.clone());
      const response = await sim.fetch(request);
      await this.#write(String(response.status), response.headers, response.clone());
      return response;
    };
    return new Proxy(sim, {
      get: (target, name) => (name === "fetch" ? send : Reflect.get(target, name, target)) as unknown,
    });
  }

  async #write(head: string, headers: Headers, message: Request | Response): Promise<void> {
    const told = TOLD.flatMap((name) => (headers.has(name) ? [`${name}: ${headers.get(name)}`] : []));
    const signatures = [...headers.keys()].filter((name) => /signature|^webhook-/.test(name));
    const body = readable(await message.text());
    this.#lines.push([head, ...told, ...signatures.map((name) => `${name}: …`), ...body].join("\n"));
  }

  get text(): string {
    return `${this.#lines.join("\n\n")}\n`.replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, "<access token>");
  }
}

function readable(body: string): readonly string[] {
  if (body === "") return [];
  try {
    return [JSON.stringify(JSON.parse(body), undefined, 2)];
  } catch {
    return [body];
  }
}

/** Makes calls that the service refuses, each for another reason. */
async function everyRefusal(sim: Simulator, assumptions: AssumptionOverrides): Promise<void> {
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch, assumptions });
  const { paymentIntents, checkout } = client;
  const refused = async (call: Promise<unknown>): Promise<void> => {
    await expect(call).rejects.toMatchObject({ name: "ServiceError" });
  };
  const created = async (): Promise<string> =>
    (await paymentIntents.create({ amount: 10_000, externalId: "order-2", ...whole })).id;
  await refused(paymentIntents.create({ amount: 0, returnUrl: "nowhere", externalId: "order-2", ...whole }));
  await refused(paymentIntents.status("pi_none"));
  await refused(checkout.poll("nothing"));
  await refused(paymentIntents.confirm(await created(), { paymentMethodId: "pm_card_insufficient_funds" }));
  const challenged = await created();
  await paymentIntents.confirm(challenged, { paymentMethodId: "pm_card_challenge" });
  await refused(paymentIntents.confirm(challenged, { paymentMethodId: "pm_card_challenge" }));
  await sim.fetch("/api/nothing");
  await sim.fetch("/api/transactions", { headers: { authorization: "Bearer nobody" } });
}

describe.each(Object.entries(sets))("under the %s set of values", (name, assumptions) => {
  test("every call, every refusal and every delivery goes over the wire as its golden file has it", async () => {
    const wire = new Wire();
    const sim = wire.on(createSimulator({ assumptions, webhookUrl: `${SHOP}/hooks` }));
    await everyCall(assumptions, sim);
    await everyRefusal(sim, assumptions);
    await sim.clock.settle();
    await expect(wire.text).toMatchFileSnapshot(`wire/${name}.txt`);
  });
});
