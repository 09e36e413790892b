import { createServer } from "node:http";

const { PORT, PAYMENT_URL, PAYMENT_CLIENT_ID = "", PAYMENT_CLIENT_SECRET = "" } = process.env;
const url = `http://127.0.0.1:${PORT}`;

createServer((request, response) => {
  if (request.url === "/buy") void checkOut().then((location) => response.writeHead(303, { location }).end());
  else response.setHeader("content-type", "text/html").end("<h1>Thank you</h1>");
}).listen(Number(PORT), "127.0.0.1");

/** Opens a session with a token of its own, because each test has another world. */
async function checkOut(): Promise<string> {
  const login = {
    grant_type: "client_credentials",
    client_id: PAYMENT_CLIENT_ID,
    client_secret: PAYMENT_CLIENT_SECRET,
  };
  const token = await fetch(`${PAYMENT_URL}/oauth`, { method: "POST", body: new URLSearchParams(login) });
  const { access_token } = (await token.json()) as { access_token: string };
  const session = await fetch(`${PAYMENT_URL}/api/checkout`, {
    method: "POST",
    headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
    body: JSON.stringify({
      externalId: "order-1",
      amount: 49_900,
      description: "A book",
      contact: { name: "Ana Santos", email: "ana@example.ph" },
      returnUrl: `${url}/thanks`,
      webhookUrl: `${url}/webhooks`,
    }),
  });
  return ((await session.json()) as { data: { checkoutUrl: string } }).data.checkoutUrl;
}
