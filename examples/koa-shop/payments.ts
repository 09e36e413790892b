import { randomUUID } from "node:crypto";
import got, { HTTPError } from "got";
import type { Method } from "got";

/** How the shop reaches the payment service. */
export interface Account {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

export type Payments = ReturnType<typeof createPayments>;

/** Returns how to call the service. Each call has an idempotency key, and so it is safe to make it again when no answer comes. */
export function createPayments({ baseUrl, authUrl, clientId, clientSecret }: Account) {
  let token: string | undefined;
  const patient = got.extend({
    responseType: "json",
    timeout: { request: 30_000 },
    retry: { limit: 2, methods: ["GET", "POST", "PATCH"], statusCodes: [401, 429, 500, 502, 503, 504] },
  });

  const logIn = async (): Promise<string> => {
    const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    return (await patient.post<{ access_token: string }>(`${authUrl}/oauth`, { form })).body.access_token;
  };

  const service = patient.extend({
    hooks: {
      beforeRequest: [
        async ({ headers }) => {
          token ??= await logIn();
          headers["authorization"] = `Bearer ${token}`;
        },
      ],
      beforeRetry: [
        ({ response }) => {
          if (response?.statusCode === 401) token = undefined;
        },
      ],
    },
  });

  /** @returns the data of the answer, or what a 402 says: the card was declined, or the bank wants to see the customer */
  return async <Data>(method: Method, path: string, json?: object, key: string = randomUUID()): Promise<Data> => {
    const options = { method, headers: { "idempotency-key": key }, ...(json && { json }) };
    try {
      return (await service<{ data: Data }>(baseUrl + path, options)).body.data;
    } catch (error) {
      if (error instanceof HTTPError && error.response.statusCode === 402) return error.response.body as Data;
      throw error;
    }
  };
}
