import type { recurrenceFields } from "../../src/kit/faults/recurrence.ts";
import type { stampSelectors } from "../../src/kit/faults/clock-skew.ts";
import type { callSelectors } from "../../src/kit/http/call-selectors.ts";
import type { resourceFaults } from "../../src/service/names.ts";
import type { callSelectors as callsByMethod } from "../../src/service/payment-methods/faults.ts";
import type { Fault } from "../../src/simulator/payment-service.ts";
import type { eventSelectors } from "../../src/kit/webhooks/event-selectors.ts";

export type FaultKind = Fault["kind"];
type FaultOfKind<Kind extends FaultKind> = Extract<Fault, { readonly kind: Kind }>;

type SelectorOf<Family> = Family extends { readonly selectors: infer Selectors } ? keyof Selectors : never;

/** The fields that say which occasions a fault concerns, how often, and when. The guides explain them once for all kinds. */
type SharedField =
  | "kind"
  | keyof typeof recurrenceFields
  | keyof typeof callSelectors
  | keyof typeof callsByMethod
  | SelectorOf<(typeof resourceFaults)[number]>
  | keyof typeof eventSelectors
  | keyof typeof stampSelectors;

/** What the page of the faults says of one kind, besides what its declaration says. */
export interface FaultText<Kind extends FaultKind> {
  /** What it does, in one sentence. */
  readonly does: string;
  /** When it happens in production, and what it costs. */
  readonly hurts: string;
  /** What each of its own fields means, with its unit and its default. */
  readonly fields: { readonly [Field in Exclude<keyof FaultOfKind<Kind>, SharedField>]-?: string };
  /** What the merchant sees. */
  readonly sees: string;
  /** What the merchant's code should do. */
  readonly should: string;
  /** More to read, as links of Markdown. */
  readonly links?: string;
  /** The fields of the fault in the example. */
  readonly options: Omit<FaultOfKind<Kind>, "kind">;
  readonly example: {
    /** The title of the test. */
    readonly title: string;
    /** What the test does before it plans the fault. */
    readonly before?: string;
    /** What it does after. */
    readonly after: string;
    /** Whether it strikes each time; once by default. */
    readonly strikes?: "always";
    /** More imports, each a line. */
    readonly imports?: string;
  };
}

/** A text for each of some kinds. A kind without one does not compile. */
export type TextsOf<Kind extends FaultKind> = { readonly [Each in Kind]: FaultText<Each> };

/** The lines of a test that create an intent. */
export const CREATE = `const { id } = await client.paymentIntents.create({ amount: 10000 });`;
/** The lines of a test in which a customer pays with a good card. */
export const PAY = `${CREATE}
await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });`;
/** A call that confirms the intent, always with the same key. */
export const CONFIRM = `${CREATE}
const confirm = () =>
  client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }, { idempotencyKey: "order-1" });`;

/** Returns the lines of a shop that runs \`line\` for each event and answers 200. */
export function shop(line: string): string {
  return `sim.connect("https://shop.example", async (request: Request) => {
${line.replaceAll(/^/gm, "  ")}
  return new Response();
});`;
}

/** A shop that lists the types of the events it got. */
export const RECEIVED = `const received: string[] = [];
${shop(`const { type } = (await request.json()) as { type: string };
received.push(type);`)}`;

/** A shop that checks signatures. */
export const VERIFIED = `const answers: number[] = [];
sim.connect("https://shop.example", async (request: Request) => {
  const status = await verifyWebhook(request, sim.credentials.webhookSecret).then(
    () => 200,
    () => 401,
  );
  answers.push(status);
  return new Response(null, { status });
});`;
export const VERIFY = `import { verifyWebhook } from "centavo/webhooks";`;
