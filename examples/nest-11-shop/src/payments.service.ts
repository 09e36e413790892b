import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { Injectable } from "@nestjs/common";

/** What the shop is told about its surroundings. */
export abstract class Settings {
  abstract readonly baseUrl: string;
  abstract readonly authUrl: string;
  abstract readonly clientId: string;
  abstract readonly clientSecret: string;
  abstract readonly webhookSecret: string;
  /** The shop's own address. */
  abstract readonly url: string;
  /** The global `fetch`, or one that takes its place. */
  abstract readonly fetch: typeof fetch;
}

/** The calls to the payment service. Each has an idempotency key, and so it is safe to make it again when no answer comes. */
@Injectable()
export class PaymentsService {
  private token: string | undefined;

  constructor(private readonly settings: Settings) {}

  /** @returns the data of the answer, or what a 402 says: the card was declined, or the bank wants to see the customer */
  async call<Data>(method: string, path: string, body?: object, key: string = randomUUID()): Promise<Data> {
    for (let tries = 1; ; tries += 1) {
      try {
        this.token ??= await this.logIn();
        const headers = {
          Authorization: `Bearer ${this.token}`,
          "Content-Type": "application/json",
          "Idempotency-Key": key,
        };
        const init = { method, headers, body: JSON.stringify(body) ?? null, signal: AbortSignal.timeout(30_000) };
        const answer = await this.settings.fetch(this.settings.baseUrl + path, init);
        if (answer.status === 401) this.token = undefined;
        const { data, ...refusal } = (await answer.json()) as { data?: Data };
        if (answer.ok || answer.status === 402) return data ?? (refusal as Data);
        throw new Error(`The payment service answered ${answer.status}`);
      } catch (error) {
        if (tries === 3) throw error;
        await setTimeout(1000);
      }
    }
  }

  private async logIn(): Promise<string> {
    const { authUrl, clientId, clientSecret } = this.settings;
    const fields = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const init = { method: "POST", body: new URLSearchParams(fields), signal: AbortSignal.timeout(30_000) };
    const answer = await this.settings.fetch(`${authUrl}/oauth`, init);
    if (!answer.ok) throw new Error(`The login failed with ${answer.status}`);
    return ((await answer.json()) as { access_token: string }).access_token;
  }
}
