import { defineConfig } from "@playwright/test";
import type { CentavoOptions, CentavoWorkerOptions } from "centavo/playwright";
import base from "../playwright.config.js";

const [simulatorPort, shopPort] = [Number(process.env["SIMULATOR_PORT"]), Number(process.env["SHOP_PORT"])];
const credentials = {
  clientId: "shop",
  clientSecret: "secret-of-the-shop",
  webhookSecret: "whsec_c2VjcmV0LW9mLXRoZS1zaG9w",
};

/** The shop is started once, before any world. */
export default defineConfig<CentavoOptions, CentavoWorkerOptions>({
  ...base,
  workers: 1,
  use: {
    ...base.use,
    baseURL: `http://127.0.0.1:${shopPort}`,
    simulatorPort,
    simulatorWorld: "shop",
    simulator: { credentials },
  },
  webServer: {
    command: "node shop.ts",
    url: `http://127.0.0.1:${shopPort}`,
    env: {
      PORT: String(shopPort),
      PAYMENT_URL: `http://127.0.0.1:${simulatorPort}/worlds/shop`,
      PAYMENT_CLIENT_ID: credentials.clientId,
      PAYMENT_CLIENT_SECRET: credentials.clientSecret,
    },
  },
});
