import { createSimulator } from "centavo";
import type {
  CustomerMethod,
  DeclineCode,
  EventType,
  EventView,
  Fault,
  PaymentMethodKind,
  RouteName,
  TestMethodId,
} from "centavo";
import type { Client } from "centavo/client";
import type { WebhookEvent } from "centavo/webhooks";
import { verifyWebhook } from "centavo/webhooks";
import { describe, expect, expectTypeOf, test } from "vitest";
import { routesIn } from "../../src/kit/declaration/define-service.ts";
import { eventSchemas } from "../../src/service/names.ts";
import { paymentService } from "../../src/service/service.ts";
import { Merchant } from "../merchant.ts";

type FaultOf<Kind extends Fault["kind"]> = Extract<Fault, { readonly kind: Kind }>;
/** The names that an editor offers for a type that takes other texts too. */
type Offered<Names> = Names extends string ? (string extends Names ? never : Names) : never;

describe("an event's type", () => {
  test("tells which body it has", () => {
    expectTypeOf<
      Extract<WebhookEvent, { type: "payment_intent.succeeded" }>["data"]["type"]
    >().toEqualTypeOf<"payment_intent">();
    expectTypeOf<
      Extract<WebhookEvent, { type: "subscription.past_due" }>["data"]["type"]
    >().toEqualTypeOf<"subscription">();
    expectTypeOf<Extract<WebhookEvent, { type: "checkout.expired" }>["sessionToken"]>().toBeString();
    expectTypeOf<Extract<WebhookEvent, { type: "checkout.expired" }>>().not.toHaveProperty("data");
    expectTypeOf<EventView["body"]>().toExtend<WebhookEvent>();
    expectTypeOf<WebhookEvent>().toExtend<EventView["body"]>();
    const verify = async (request: Request) => verifyWebhook(request, "whsec_");
    expectTypeOf(verify).returns.resolves.toEqualTypeOf<WebhookEvent>();
  });

  test("narrows what a reader returns", async () => {
    const merchant = await Merchant.open();
    await merchant.pay();
    await merchant.sim.clock.settle();
    const [event] = merchant.sim.webhooks.events({ type: "payment_intent.succeeded" });
    expectTypeOf(event?.type).toEqualTypeOf<"payment_intent.succeeded" | undefined>();
    expectTypeOf(event?.body.data.attributes.amount).toEqualTypeOf<number | undefined>();
    expect(event?.body.data.attributes.amount).toBe(10_000);
    for (const { body } of merchant.sim.webhooks.events())
      if (body.type === "checkout.completed") expectTypeOf(body.sessionToken).toBeString();
  });

  test("is one that the service announces, and each of these is a type", () => {
    const types: readonly EventType[] = eventSchemas.flatMap(
      (schema): readonly EventType[] => schema.shape.type.options,
    );
    expect(types.toSorted()).toEqual(paymentService.eventTypes.toSorted());
  });
});

describe("the editor completes", () => {
  test("routes, events, payment methods and decline codes of faults", () => {
    expectTypeOf<"payment-intent.confirm">().toExtend<RouteName>();
    expectTypeOf<"payment-intent.confrim">().not.toExtend<RouteName>();
    expectTypeOf<RouteName>().toExtend<NonNullable<FaultOf<"request.reset">["route"]>>();
    expectTypeOf<"payment-intent.confrim">().not.toExtend<NonNullable<FaultOf<"request.reset">["route"]>>();
    expectTypeOf<"payment-intent.*">().toExtend<NonNullable<FaultOf<"request.reset">["route"]>>();
    expectTypeOf<"payment_intent.suceeded">().not.toExtend<NonNullable<FaultOf<"webhook.drop">["event"]>>();
    expectTypeOf<FaultOf<"processor.decline">["code"]>().toEqualTypeOf<DeclineCode>();
    expectTypeOf<"responce.lost">().not.toExtend<Fault["kind"]>();
    expectTypeOf<RouteName>().toEqualTypeOf<(typeof paymentService)["resources"][number]["routes"][number]["name"]>();
    expect(routesIn(paymentService).map(({ name }) => name)).toContain("payment-intent.confirm" satisfies RouteName);
  });

  test("test methods wherever a payment method is named, which may also be a stored card", () => {
    type Confirmed = Exclude<Parameters<Client["paymentIntents"]["confirm"]>[1]["paymentMethodId"], undefined>;
    expectTypeOf<TestMethodId>().toExtend<Offered<CustomerMethod>>();
    expectTypeOf<PaymentMethodKind>().toExtend<Offered<CustomerMethod>>();
    expectTypeOf<TestMethodId>().toExtend<Offered<Confirmed>>();
    expectTypeOf<"pm_4xxxxxxxxxxxxxxxxxxxxxxx">().toExtend<Confirmed>();
    expectTypeOf<"pm_card_fradulent">().not.toExtend<TestMethodId>();
  });

  test("event types and statuses of filters", () => {
    const { intents, checkouts, subscriptions, invoices, transactions, webhooks } = createSimulator();
    expect(intents.list({ status: "succeeded" })).toEqual([]);
    expect(checkouts.list({ status: "expired" })).toEqual([]);
    expect(subscriptions.last({ status: "past_due" })).toBeUndefined();
    expect(invoices.list({ status: "void" })).toEqual([]);
    expect(transactions.list({ status: "failed" })).toEqual([]);
    // @ts-expect-error -- a misspelt status
    expect(() => intents.list({ status: "suceeded" })).toThrow();
    // @ts-expect-error -- a misspelt type
    expect(() => webhooks.events({ type: "payment_intent.suceeded" })).toThrow();
    // @ts-expect-error -- a misspelt field
    expect(() => webhooks.events({ typ: "payment_intent.succeeded" })).toThrow();
  });
});
