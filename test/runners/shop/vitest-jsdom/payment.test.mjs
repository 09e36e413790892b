import axios from "axios";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { intercept } from "centavo/node";
import { expect, test } from "vitest";

test("the document is that of jsdom, and a payment is made by interception", async () => {
  const sim = createSimulator({ baseUrl: "https://api.pay.example" });
  const network = intercept(sim);
  const heard = [];
  sim.connect("https://shop.example", async (request) => {
    heard.push((await request.json()).type);
    return new Response();
  });
  const client = createClient({ ...sim.credentials, baseUrl: sim.baseUrl });
  const { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });
  await client.paymentIntents.confirm(id, { paymentMethod: "pm_card_approved" });
  await sim.clock.settle();
  expect(document.title).toBe("");
  expect(sim.intents.get(id)?.status).toBe("succeeded");
  expect(heard).toEqual(["payment_intent.processing", "payment_intent.succeeded"]);
  network.close();
});

test("axios is intercepted there, too, but a page does not get to read a token", async () => {
  const sim = createSimulator({ baseUrl: "https://api.pay.example" });
  const network = intercept(sim);
  const { clientId, clientSecret } = sim.credentials;
  const login = { client_id: clientId, client_secret: clientSecret };
  await expect(axios.post("https://api.pay.example/oauth", login)).rejects.toThrow("Network Error");
  const answer = await sim.fetch("https://api.pay.example/oauth", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(login),
  });
  const { access_token: token } = await answer.json();
  const created = await axios.post(
    "https://api.pay.example/api/payment-intent",
    { amount: 10000 },
    { headers: { authorization: `Bearer ${token}` } },
  );
  expect(created.status).toBe(200);
  network.close();
});
