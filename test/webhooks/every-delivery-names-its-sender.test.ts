import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { deliverTwiceAtOnce } from "centavo/testing";
import { expect, test } from "vitest";

const shop = "https://shop.example";

test.for(["paymongo", "stripe", "standard-webhooks"] as const)(
  "every delivery signed by %s has the User-Agent Centavo, in the process and through a socket",
  async (scheme) => {
    await using sim = createSimulator({
      webhookUrl: `${shop}/hooks`,
      assumptions: { "webhook.signature": scheme },
    });
    const agents: unknown[] = [];
    const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
    const pay = async (): Promise<void> => {
      const { id } = await client.paymentIntents.create({ amount: 5000 });
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
      await sim.clock.settle();
    };
    sim.connect(shop, (request: Request) => {
      agents.push(request.headers.get("user-agent"));
      return new Response();
    });
    await pay();
    sim.connect(shop, (request, response) => {
      agents.push(request.headers["user-agent"]);
      response.end();
    });
    await pay();
    await deliverTwiceAtOnce(sim, sim.webhooks.events()[0]?.id ?? "");
    expect(agents.length).toBeGreaterThanOrEqual(6);
    expect(new Set(agents)).toEqual(new Set(["Centavo"]));
  },
);

test("no signature can take the place of the sender", () => {
  const signature = { scheme: "stripe", header: "User-Agent" } as const;
  expect(() => createSimulator({ assumptions: { "webhook.signature": signature } })).toThrow(
    "is another header of each delivery",
  );
});
