import { digestWithoutKey, headersOf, signDelivery, signWithoutSecret, withSignature } from "./delivery-signature.ts";
import type { DeliverySignature } from "./delivery-signature.ts";
import type { PaymentEvent } from "./order-payment.ts";
import type { Stage } from "./stage.ts";

/**
 * What the case must leave behind. `first fulfilment`: the order is fulfilled, and was not before. `one fulfilment`: it is fulfilled once,
 * be it that the customer's way back did it. `perhaps one`: the same or not yet. `nothing`: it is as it was, and nobody had paid. `what was
 * there`: it was fulfilled before, and stays exactly so.
 */
export type ExpectedEffect = "first fulfilment" | "one fulfilment" | "perhaps one" | "nothing" | "what was there";

/** One thing that a merchant's handler has to withstand. */
export interface HostileCase {
  readonly name: string;
  readonly effect: ExpectedEffect;
  /** What a merchant that fails it should do. */
  readonly remedy: string;
  /** Does it; answers why it cannot be done here, where it cannot. */
  readonly run: (stage: Stage) => Promise<string | void>;
}

/** Without this, a handler that refuses everything would pass the rest. */
export const honestCase: HostileCase = {
  name: "an honest delivery",
  effect: "first fulfilment",
  remedy:
    "Make this work first, as every other case rests on it: accept the service's own deliveries with 2xx, with the webhook secret of this simulator, and fulfil the order before fulfilments(order) answers.",
  run: (stage) => stage.payObserved(),
};

const VERIFY =
  "Verify the signature over the raw body, with your own secret, before anything is read from it; answer 401 where it does not match.";
const FRESH = "Refuse a stamp that is more than five minutes from your own time, either way.";
const ONCE =
  "Fulfil an order in one step that also marks it as fulfilled, and only where it is not; answer 2xx, or the service sends the event again.";
const IN_ANY_ORDER =
  "Events come late and out of order: let no event take back a payment that came in, and answer 2xx to what says nothing new.";
const KNOWN =
  "Check that the event's payment is the one that you created for this order, and for all of its amount, before you fulfil it.";
const READ_WITH_CARE =
  "Treat a signed body as data that may not be what you expect: ignore with 2xx, or refuse with 4xx, what you do not understand, and never crash over it.";
const ASK =
  "Anybody can type the address of the way back: show the customer what the service says of the payment, never what the address says.";

/** Every case after the honest one, in the order in which they are run. */
export const hostileCases: readonly HostileCase[] = [
  forged("no signature", () => ({})),
  forged("an empty signature", (stage, event) => [
    { [signatureOf(stage, event).headerName]: "" },
    headersOf(withSignature(signatureOf(stage, event), "")),
  ]),
  forged("a garbled signature", (stage, event) => {
    const signed = signatureOf(stage, event);
    return [
      { ...headersOf(signed), [signed.headerName]: "garbage" },
      { ...headersOf(signed), [signed.headerName]: "=,=,t=,te=,li=,v1=" },
      headersOf(withSignature(signed, "abcd")),
      headersOf(withSignature(signed, "0".repeat(64))),
    ];
  }),
  forged("a secret that nobody has", (stage, event) =>
    headersOf(signDelivery({ ...stage.toSign(event), secret: stage.newSecret() })),
  ),
  forged("an empty secret", (stage, event) => headersOf(signWithoutSecret(stage.toSign(event)))),
  forged("a digest without a key", (stage, event) => headersOf(digestWithoutKey(stage.toSign(event)))),
  {
    name: "another merchant's payment and secret",
    effect: "nothing",
    remedy: `${VERIFY} Another merchant may name your order as the externalId of a payment of its own, and your address as its receiver.`,
    async run(stage) {
      const secret = await stage.secretOfAnotherMerchant();
      const event = stage.changed(await stage.promisedEvent(), { paymentId: stage.newPaymentId() });
      await stage.deliver(event, "refusal", headersOf(signDelivery({ ...stage.toSign(event), secret })));
    },
  },
  forged("a status changed after signing", (stage, event) => {
    const failed = stage.changed(event, { type: event.type.replace(/\w+$/, "failed"), status: "failed" });
    return headersOf(signatureOf(stage, failed));
  }),
  forged("an amount changed after signing", (stage, event) =>
    headersOf(signatureOf(stage, stage.changed(event, { amount: anotherAmount(stage) }))),
  ),
  {
    name: "the same JSON in other bytes",
    effect: "nothing",
    remedy: `${VERIFY} JSON that was parsed and written again is not what was signed.`,
    async run(stage) {
      const event = await stage.promisedEvent();
      const spaced = JSON.stringify(JSON.parse(event.text), undefined, 1);
      await stage.deliver(stage.withText(event, spaced), "refusal", headersOf(signatureOf(stage, event)));
    },
  },
  {
    name: "a body cut short",
    effect: "nothing",
    remedy: `${VERIFY} Parse it afterwards.`,
    async run(stage) {
      const event = await stage.promisedEvent();
      const headers = headersOf(signatureOf(stage, event));
      await stage.deliver(stage.withText(event, event.text.slice(0, -20)), "refusal", headers);
      await stage.deliver(stage.withText(event, ""), "refusal", headers);
    },
  },
  forged("a stale stamp", (stage, event) => headersOf(signatureOf(stage, event, -stage.tooFar)), FRESH),
  forged("a stamp from the future", (stage, event) => headersOf(signatureOf(stage, event, stage.tooFar)), FRESH),
  forged("a stamp changed after signing", (stage, event) => {
    const stale = signatureOf(stage, event, -stage.tooFar);
    return headersOf({ ...stale, stamp: stale.stamp + stage.tooFar });
  }),
  {
    name: "a forgery before the genuine event",
    effect: "one fulfilment",
    remedy: "Remember an event's id only after its signature has been verified and its effect is there.",
    async run(stage) {
      const event = await stage.payHeldBack();
      await stage.deliver(event, "refusal", headersOf(withSignature(signatureOf(stage, event), "0".repeat(64))));
      await stage.letGo();
    },
  },
  {
    name: "a signature in the field of the other mode",
    effect: "perhaps one",
    remedy: READ_WITH_CARE,
    async run(stage) {
      if (stage.scheme !== "paymongo") return `${stage.scheme} has no modes`;
      const event = await stage.payHeldBack();
      const signed = signatureOf(stage, event);
      const [[, signature] = ["", ""]] = signed.fields;
      const fields = [
        ["te", ""],
        ["li", signature],
      ] as const;
      await stage.deliver(event, "either", headersOf({ ...signed, fields }));
      return undefined;
    },
  },

  repeated("the same delivery twice", (stage, event) => stage.deliver(event, "success")),
  repeated("the same event under another id", (stage, event) =>
    stage.deliver(stage.changed(event, { id: stage.newId("evt") }), "either"),
  ),
  repeated("an old delivery replayed", (stage, event) =>
    stage.deliver(event, "either", headersOf(signatureOf(stage, event, -stage.tooFar))),
  ),
  {
    name: "the same delivery twice at once",
    effect: "one fulfilment",
    remedy: `${ONCE} Two deliveries may be under way at the same time, so look and mark in one transaction.`,
    async run(stage) {
      const event = await stage.payHeldBack();
      await Promise.all([stage.deliver(event, "either"), stage.deliver(event, "either")]);
    },
  },

  {
    name: "a processing event after the payment",
    effect: "what was there",
    remedy: IN_ANY_ORDER,
    async run(stage) {
      stage.hold("processing");
      await stage.pay();
      await stage.letGo();
    },
  },
  repeated(
    "a failure after the payment",
    (stage, event) => {
      const type = event.type.replace(/\w+$/, "failed");
      return stage.deliver(stage.changed(event, { id: stage.newId("evt"), type, status: "failed" }), "either");
    },
    IN_ANY_ORDER,
  ),

  misleading("another amount", KNOWN, (stage, event) => stage.changed(event, { amount: anotherAmount(stage) })),
  misleading("a payment that nobody knows", KNOWN, (stage, event) =>
    stage.changed(event, { paymentId: stage.newPaymentId(), externalId: stage.newId("order") }),
  ),
  {
    name: "a payment of another order",
    effect: "nothing",
    remedy: KNOWN,
    async run(stage) {
      await stage.deliver(await stage.promisedEvent(await stage.another()), "either");
    },
  },

  misleading("an unknown type of event", READ_WITH_CARE, (stage, event) =>
    stage.changed(event, { type: event.type.replace(/\w+$/, "reconsidered"), status: "reconsidered" }),
  ),
  {
    name: "fields that nobody knows",
    effect: "one fulfilment",
    remedy: "Read the fields that you need and ignore the rest: services add fields without notice.",
    async run(stage) {
      const event = await stage.payHeldBack();
      const more = { apiVersion: "2030-01-01", livemode: false, related: [{ id: stage.newId("evt") }], note: null };
      await stage.deliver(stage.changed(event, { more }), "success");
    },
  },
  misleading("an event without its data", READ_WITH_CARE, (stage, event) => {
    const { id, type } = event;
    return [
      { id, type },
      { id, type, data: null },
      { id: null, type: null },
    ].map((body) => stage.withText(event, JSON.stringify(body)));
  }),
  misleading("JSON that is no event", READ_WITH_CARE, (stage, event) =>
    ["null", "[]", '"event"', "42", "{}"].map((text) => stage.withText(event, text)),
  ),
  misleading("a body that is no JSON", READ_WITH_CARE, (stage, event) =>
    ["", "status=succeeded", "{"].map((text) => stage.withText(event, text)),
  ),

  {
    name: "a forged way back",
    effect: "nothing",
    remedy: ASK,
    run: async (stage) => ((await stage.comeBack()) ? undefined : NO_WAY_BACK),
  },
  {
    name: "the way back before the event",
    effect: "one fulfilment",
    remedy: `${ASK} Whichever comes first may fulfil the order, the other must not do it again.`,
    async run(stage) {
      await stage.payHeldBack();
      if (!(await stage.comeBack())) return NO_WAY_BACK;
      await stage.letGo();
      return undefined;
    },
  },
];

const NO_WAY_BACK = "its payment has no returnUrl";

type Headers = Readonly<Record<string, string>>;

/** The event of a payment that nobody made, with headers that do not belong to it. */
function forged(
  name: string,
  headers: (stage: Stage, event: PaymentEvent) => Headers | readonly Headers[],
  remedy = VERIFY,
): HostileCase {
  return {
    name,
    effect: "nothing",
    remedy,
    async run(stage) {
      const event = await stage.promisedEvent();
      for (const each of [headers(stage, event)].flat()) await stage.deliver(event, "refusal", each);
    },
  };
}

/** Rightly signed, and yet not what it should be, while nobody has paid. */
function misleading(
  name: string,
  remedy: string,
  change: (stage: Stage, event: PaymentEvent) => PaymentEvent | readonly PaymentEvent[],
): HostileCase {
  return {
    name,
    effect: "nothing",
    remedy,
    async run(stage) {
      for (const event of [change(stage, await stage.promisedEvent())].flat()) await stage.deliver(event, "either");
    },
  };
}

/** After the payment was made and its event delivered. */
function repeated(
  name: string,
  deliver: (stage: Stage, event: PaymentEvent) => Promise<void>,
  remedy = ONCE,
): HostileCase {
  return {
    name,
    effect: "what was there",
    remedy,
    async run(stage) {
      await stage.pay();
      await deliver(stage, stage.paidEvent());
    },
  };
}

/** The signature that the service would make, so many seconds from now. */
function signatureOf(stage: Stage, event: PaymentEvent, seconds = 0): DeliverySignature {
  const delivery = stage.toSign(event);
  return signDelivery({ ...delivery, stamp: delivery.stamp + seconds });
}

function anotherAmount({ payment }: Stage): number {
  return payment.amount === 1 ? 2 : 1;
}
