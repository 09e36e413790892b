import { createApp } from "./app.ts";

const {
  PORT = "3000",
  PAYMENT_URL = "",
  PAYMENT_CLIENT_ID = "",
  PAYMENT_CLIENT_SECRET = "",
  WEBHOOK_SECRET = "",
} = process.env;
const settings = {
  url: `http://localhost:${PORT}`,
  baseUrl: PAYMENT_URL,
  authUrl: PAYMENT_URL,
  clientId: PAYMENT_CLIENT_ID,
  clientSecret: PAYMENT_CLIENT_SECRET,
  webhookSecret: WEBHOOK_SECRET,
};

createApp(settings, { orders: new Map(), memberships: new Map() }).listen(Number(PORT), () =>
  console.log(`The shop is at ${settings.url}`),
);
