// A suite whose shop verifies with another secret.
import { createSimulator } from "../../../src/index.ts";
import { intercept } from "../../../src/node.ts";
import { verifyWebhook } from "../../../src/webhooks.ts";
import { paid } from "./shop.ts";

const sim = createSimulator({ baseUrl: "https://api.pay.example", webhookUrl: "https://shop.example/hooks" });
const network = intercept(sim);
sim.connect("https://shop.example", async (request: Request) => {
  const isGenuine = await verifyWebhook(request, "whsec_c2VjcmV0").then(
    () => true,
    () => false,
  );
  return new Response(undefined, { status: isGenuine ? 200 : 401 });
});
await paid(sim.baseUrl, sim);
await sim.clock.advance("10 seconds");
network.close();
