import { createShop } from "./shop.ts";

const TEN_MINUTES = 600_000;
const port = Number(process.env["PORT"] ?? 3000);
const payBaseUrl = setting("PAY_BASE_URL");

createShop({
  payBaseUrl,
  payAuthUrl: process.env["PAY_AUTH_URL"] ?? payBaseUrl,
  clientId: setting("PAY_CLIENT_ID"),
  clientSecret: setting("PAY_CLIENT_SECRET"),
  webhookSecret: setting("PAY_WEBHOOK_SECRET"),
  shopUrl: process.env["SHOP_URL"] ?? `http://localhost:${port}`,
  log: console.log,
}).listen(port, () => console.log(`The shop is open at http://localhost:${port}`));

// An event may never come.
setInterval(() => {
  fetch(`http://localhost:${port}/jobs/refresh`, { method: "POST" }).catch(console.error);
}, TEN_MINUTES);

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`Set the environment variable ${name}`);
  return value;
}
