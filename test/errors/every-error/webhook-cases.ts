import type { Simulator } from "centavo";
import { signWebhook, verifyWebhook } from "centavo/webhooks";
import type { WebhookScheme } from "centavo/webhooks";
import type { Causes } from "./cause.ts";

const signed = (sim: Simulator, body: string, scheme: WebhookScheme = "paymongo") => ({
  body,
  headers: signWebhook({ scheme, secret: sim.credentials.webhookSecret, body, eventId: "evt_1", timestamp: 0 }),
});
const withHeaders = (headers: unknown) => verifyWebhook({ headers: headers as never, body: "{}" }, "whsec_");
const brokenOff = {
  headers: new Headers(),
  arrayBuffer: () => Promise.reject(new Error("socket hang up")),
};

/** What goes wrong when a receiver verifies an event. */
export const webhookCauses: Causes = {
  INVALID_OPTION: {
    "verifyWebhook: no secret": (sim) => verifyWebhook(signed(sim, "{}"), undefined),
    "verifyWebhook: an unknown option": (sim) => verifyWebhook(signed(sim, "{}"), "whsec_", { tolerence: 5 } as never),
    "verifyWebhook: a wrong tolerance": (sim) => verifyWebhook(signed(sim, "{}"), "whsec_", { tolerance: -1 }),
    "verifyWebhook: a wrong moment": (sim) =>
      verifyWebhook(signed(sim, "{}"), sim.credentials.webhookSecret, { now: "tomorrow" }),
    "verifyWebhook: an unknown scheme": (sim) =>
      verifyWebhook(signed(sim, "{}"), sim.credentials.webhookSecret, { scheme: "strpe" as never }),
    "verifyWebhook: a secret that is not base64": (sim) =>
      verifyWebhook(signed(sim, "{}", "standard-webhooks"), "no base64!", { now: 0 }),
    "verifyWebhook: an empty secret": (sim) => verifyWebhook(signed(sim, "{}"), "", { now: 0 }),
    "signWebhook: no secret": () =>
      signWebhook({ scheme: "paymongo", secret: undefined as never, body: "{}", eventId: "evt_1", timestamp: 0 }),
  },
  WEBHOOK_VERIFICATION_FAILED: {
    "no webhook": () => verifyWebhook(undefined as never, "whsec_"),
    "a webhook that cannot be read": () =>
      verifyWebhook(
        {
          get headers(): never {
            throw new Error("the request is gone");
          },
          body: "{}",
        },
        "whsec_",
      ),
    "a Request that was read already": async (sim) => {
      const { body, headers } = signed(sim, "{}");
      const request = new Request("https://shop.example/hooks", { method: "POST", body, headers });
      await request.text();
      await verifyWebhook(request, sim.credentials.webhookSecret);
    },
    "a Request whose body breaks off": () => verifyWebhook(brokenOff as never, "whsec_"),
    "no headers": () => withHeaders(undefined),
    "headers that cannot be read": () => withHeaders(["x-webhook-signature", "t=0"]),
    "a signature that is not text": () => withHeaders({ "x-webhook-signature": 5 }),
    "no body": (sim) => verifyWebhook({ ...signed(sim, "{}"), body: undefined as never }, "whsec_"),
    "a signature of the other mode": (sim) =>
      verifyWebhook(signed(sim, "{}"), sim.credentials.webhookSecret, { mode: "live" }),
    "a malformed signature": () => withHeaders({ "x-webhook-signature": "sha256=abc" }),
    "a Stripe signature that is malformed": () => withHeaders({ "stripe-signature": "abc" }),
    "a Standard Webhooks signature without its id": () => withHeaders({ "webhook-signature": "v1,abc" }),
    "a Standard Webhooks signature that is malformed": () =>
      withHeaders({ "webhook-signature": "abc", "webhook-id": "evt_1", "webhook-timestamp": "0" }),
    "a stamp from the future": (sim) =>
      verifyWebhook(signed(sim, "{}"), sim.credentials.webhookSecret, { now: -3_600_000 }),
    "no JSON": (sim) => verifyWebhook(signed(sim, "paid"), sim.credentials.webhookSecret, { now: 0 }),
  },
};
