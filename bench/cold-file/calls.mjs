/** What every test does: log in, create a payment intent, confirm it, read it. */
import assert from "node:assert/strict";

export const BASE = "https://api.pay.example";
export const CREDENTIALS = { clientId: "a", clientSecret: "b" };
export const TOKEN = { access_token: "t", token_type: "Bearer", expires_in: 3600 };

export function intent(status) {
  return { success: true, code: 200, message: "OK", data: { id: "pi_1", status, amount: 100 } };
}

export async function pay({ clientId, clientSecret }) {
  const { access_token: token } = await call("/oauth", { client_id: clientId, client_secret: clientSecret });
  const { data } = await call("/api/payment-intent", { amount: 100 }, token);
  const confirmed = await call(
    `/api/payment-intent/${data.id}/confirm`,
    { paymentMethodId: "pm_card_approved" },
    token,
  );
  assert.equal(confirmed.success, true);
  const read = await call(`/api/payment-intent/${data.id}/status`, undefined, token);
  assert.equal(read.data.id, data.id);
}

async function call(path, body, token) {
  const headers = { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(BASE + path, {
    method: body ? "POST" : "GET",
    headers,
    body: body && JSON.stringify(body),
  });
  return response.json();
}
