import type { Simulator } from "centavo";
import { expect } from "vitest";

/** Fields of which a test reads the texts. */
export type Texts = Readonly<Record<string, string>>;

/** An answer of the service, parsed. */
export interface Answer<Data = Texts> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body<Data>;
}

export interface Body<Data> {
  readonly success: boolean;
  readonly data: Data;
  readonly message?: string;
  readonly code?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string; readonly code: string }[];
  readonly redirectUrl?: string;
  readonly nextAction?: object;
  readonly [field: string]: unknown;
}

/** The fields of payments that tests follow up; whole shapes are compared as they are. */
export interface Fields {
  readonly id: string;
  readonly status: string;
  readonly transactionId: string;
  readonly sessionToken: string;
  readonly clientKey: string;
  readonly checkoutUrl: string;
  readonly redirectUrl: string;
  readonly expiresAt: string;
  readonly fee: number;
  readonly requiresAction: boolean;
  readonly paymentMethod?: { readonly id: string; readonly type: string };
}

export type Subscription = NonNullable<ReturnType<Simulator["subscriptions"]["get"]>>;
export type Invoice = Subscription["latestInvoice"];
export type Plan = Subscription["plan"];
export type Started = Subscription & { readonly sessionToken: string };
/** The answer to a change of the payment method, with the invoice that it charges. */
export type Changed = Subscription & { readonly invoice?: Invoice };
/** The answer to the payment of an invoice. */
export interface Paid {
  readonly id: string;
  readonly intentId: string;
  readonly status: string;
  readonly requiresAction: boolean;
  readonly redirectUrl?: string;
  readonly subscription: Subscription;
}

export async function answerOf<Data = Texts>(response: Response): Promise<Answer<Data>> {
  const text = await response.text();
  const body = JSON.parse(text === "" ? "{}" : text) as Body<Data>;
  return { status: response.status, headers: response.headers, body };
}

/** The data of a successful answer. */
export function ok<Data>({ status, body }: Answer<Data>): Data {
  expect(status, JSON.stringify(body)).toBe(200);
  expect(body.success).toBe(true);
  return body.data;
}

/** Expects an answer to refuse the call like this, and returns its message. */
export function refusedAs({ status, body }: Answer<unknown>, expectedStatus: number, code: string): string {
  expect([status, body.code], JSON.stringify(body)).toEqual([expectedStatus, code]);
  return body.message ?? "";
}
