/** Every kind of mock of the payment service: what a test file does before, and after, and between its tests. */
import { BASE, CREDENTIALS, intent, pay, TOKEN } from "./calls.mjs";

export const mocks = {
  empty: async () => ({ test: () => undefined }),

  async stub() {
    globalThis.fetch = async (url, { method }) =>
      Response.json(
        url.endsWith("/oauth")
          ? TOKEN
          : intent(method === "GET" || url.endsWith("/confirm") ? "succeeded" : "requires_payment_method"),
      );
    return { test: () => pay(CREDENTIALS) };
  },

  async agent() {
    const { MockAgent, setGlobalDispatcher } = await import("undici");
    const agent = new MockAgent();
    agent.disableNetConnect();
    setGlobalDispatcher(agent);
    const pool = agent.get(BASE);
    const reply = (method, path, body) =>
      pool
        .intercept({ method, path })
        .reply(200, body, { headers: { "content-type": "application/json" } })
        .persist();
    reply("POST", "/oauth", TOKEN);
    reply("POST", "/api/payment-intent", intent("requires_payment_method"));
    reply("POST", "/api/payment-intent/pi_1/confirm", intent("succeeded"));
    reply("GET", "/api/payment-intent/pi_1/status", intent("succeeded"));
    return { test: () => pay(CREDENTIALS), end: () => agent.close() };
  },

  msw2: async () => msw(await import("msw-2"), await import("msw-2/node")),
  msw3: async () => msw(await import("msw"), await import("msw/node")),

  async intercept() {
    const { createSimulator } = await import("centavo");
    const { intercept } = await import("centavo/node");
    const sim = createSimulator({ baseUrl: BASE });
    const network = intercept(sim);
    return { test: () => pay(sim.credentials), afterEach: () => sim.reset(), end: () => network.close() };
  },
};

function msw({ http, HttpResponse }, { setupServer }) {
  const server = setupServer(
    http.post(`${BASE}/oauth`, () => HttpResponse.json(TOKEN)),
    http.post(`${BASE}/api/payment-intent`, () => HttpResponse.json(intent("requires_payment_method"))),
    http.post(`${BASE}/api/payment-intent/:id/confirm`, () => HttpResponse.json(intent("succeeded"))),
    http.get(`${BASE}/api/payment-intent/:id/status`, () => HttpResponse.json(intent("succeeded"))),
  );
  server.listen();
  return { test: () => pay(CREDENTIALS), afterEach: () => server.resetHandlers(), end: () => server.close() };
}
