import { create } from "axios";

/** What the README calls "your own code": orders in memory, one call to the real base URL, one webhook route. */
export const orders = new Map<string, string>();

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

const payments = create({ baseURL: "https://api.pay.example" });

export async function placeOrder(
  id: string,
  amount: number,
  { clientId, clientSecret }: Credentials,
): Promise<{ checkoutUrl: string }> {
  orders.set(id, "pending");
  const token = await payments.post<{ access_token: string }>("/oauth", {
    client_id: clientId,
    client_secret: clientSecret,
  });
  const session = await payments.post<{ data: { checkoutUrl: string } }>(
    "/api/checkout",
    {
      externalId: id,
      amount,
      description: "Shoes",
      webhookUrl: "https://shop.example/hooks",
      returnUrl: "https://shop.example/thanks",
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
    },
    { headers: { authorization: `Bearer ${token.data.access_token}` } },
  );
  return session.data.data;
}

export async function app(request: Request): Promise<Response> {
  if (request.method === "POST") {
    const { externalId, status } = (await request.json()) as { externalId: string; status: string };
    orders.set(externalId, status);
  }
  return new Response();
}
