// A suite whose shop calls the service and accepts its events.
import { createSimulator } from "../../../src/index.ts";
import { intercept } from "../../../src/node.ts";
import { verifyWebhook } from "../../../src/webhooks.ts";
import { paid } from "./shop.ts";

const sim = createSimulator({ baseUrl: "https://api.healthy.example", webhookUrl: "https://shop.example/hooks" });
const network = intercept(sim);
sim.connect("https://shop.example", async (request: Request) => {
  await verifyWebhook(request, sim.credentials.webhookSecret);
  return new Response();
});
await paid(sim.baseUrl, sim);
await sim.clock.advance("10 seconds");
network.close();
