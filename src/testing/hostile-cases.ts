import { digestWithoutKey, headersOf, signDelivery, signWithoutSecret, withSignature } from "./delivery-signature.ts";
import type { DeliverySignature } from "./delivery-signature.ts";
import type { PaymentEvent } from "./order-payment.ts";
import type { Trial } from "./trial.ts";

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
  readonly run: (trial: Trial) => Promise<string | void>;
}

/** Without this, a handler that refuses everything would pass the rest. */
export const honestCase: HostileCase = {
  name: "an honest delivery",
  effect: "first fulfilment",
  remedy:
    "Make this work first, as every other case rests on it: accept the service's own deliveries with 2xx, with the webhook secret of this simulator, and fulfil the order before fulfilments(order) answers.",
  run: (trial) => trial.payObserved(),
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
  forged("an empty signature", (trial, event) => [
    { [signatureOf(trial, event).headerName]: "" },
    headersOf(withSignature(signatureOf(trial, event), "")),
  ]),
  forged("a garbled signature", (trial, event) => {
    const signed = signatureOf(trial, event);
    return [
      { ...headersOf(signed), [signed.headerName]: "garbage" },
      { ...headersOf(signed), [signed.headerName]: "=,=,t=,te=,li=,v1=" },
      headersOf(withSignature(signed, "abcd")),
      headersOf(withSignature(signed, "0".repeat(64))),
    ];
  }),
  forged("a secret that nobody has", (trial, event) =>
    headersOf(signDelivery({ ...trial.toSign(event), secret: trial.newSecret() })),
  ),
  forged("an empty secret", (trial, event) => headersOf(signWithoutSecret(trial.toSign(event)))),
  forged("a digest without a key", (trial, event) => headersOf(digestWithoutKey(trial.toSign(event)))),
  {
    name: "another merchant's payment and secret",
    effect: "nothing",
    remedy: `${VERIFY} Another merchant may name your order as the externalId of a payment of its own, and your address as its receiver.`,
    async run(trial) {
      const secret = await trial.secretOfAnotherMerchant();
      const event = trial.changed(await trial.promisedEvent(), { paymentId: trial.newPaymentId() });
      await trial.deliver(event, "refusal", headersOf(signDelivery({ ...trial.toSign(event), secret })));
    },
  },
  forged("a status changed after signing", (trial, event) => {
    const failed = trial.changed(event, { type: event.type.replace(/\w+$/, "failed"), status: "failed" });
    return headersOf(signatureOf(trial, failed));
  }),
  forged("an amount changed after signing", (trial, event) =>
    headersOf(signatureOf(trial, trial.changed(event, { amount: anotherAmount(trial) }))),
  ),
  {
    name: "the same JSON in other bytes",
    effect: "nothing",
    remedy: `${VERIFY} JSON that was parsed and written again is not what was signed.`,
    async run(trial) {
      const event = await trial.promisedEvent();
      const spaced = JSON.stringify(JSON.parse(event.text), undefined, 1);
      await trial.deliver(trial.withText(event, spaced), "refusal", headersOf(signatureOf(trial, event)));
    },
  },
  {
    name: "a body cut short",
    effect: "nothing",
    remedy: `${VERIFY} Parse it afterwards.`,
    async run(trial) {
      const event = await trial.promisedEvent();
      const headers = headersOf(signatureOf(trial, event));
      await trial.deliver(trial.withText(event, event.text.slice(0, -20)), "refusal", headers);
      await trial.deliver(trial.withText(event, ""), "refusal", headers);
    },
  },
  forged("a stale stamp", (trial, event) => headersOf(signatureOf(trial, event, -trial.tooFar)), FRESH),
  forged("a stamp from the future", (trial, event) => headersOf(signatureOf(trial, event, trial.tooFar)), FRESH),
  forged("a stamp changed after signing", (trial, event) => {
    const stale = signatureOf(trial, event, -trial.tooFar);
    return headersOf({ ...stale, stamp: stale.stamp + trial.tooFar });
  }),
  {
    name: "a forgery before the genuine event",
    effect: "one fulfilment",
    remedy: "Remember an event's id only after its signature has been verified and its effect is there.",
    async run(trial) {
      const event = await trial.payHeldBack();
      await trial.deliver(event, "refusal", headersOf(withSignature(signatureOf(trial, event), "0".repeat(64))));
      await trial.letGo();
    },
  },
  {
    name: "a signature in the field of the other mode",
    effect: "perhaps one",
    remedy: READ_WITH_CARE,
    async run(trial) {
      if (trial.scheme !== "paymongo") return `${trial.scheme} has no modes`;
      const event = await trial.payHeldBack();
      const signed = signatureOf(trial, event);
      const [[, signature] = ["", ""]] = signed.fields;
      const fields = [
        ["te", ""],
        ["li", signature],
      ] as const;
      await trial.deliver(event, "either", headersOf({ ...signed, fields }));
      return undefined;
    },
  },

  repeated("the same delivery twice", (trial, event) => trial.deliver(event, "success")),
  repeated("the same event under another id", (trial, event) =>
    trial.deliver(trial.changed(event, { id: trial.newId("evt") }), "either"),
  ),
  repeated("an old delivery replayed", (trial, event) =>
    trial.deliver(event, "either", headersOf(signatureOf(trial, event, -trial.tooFar))),
  ),
  {
    name: "the same delivery twice at once",
    effect: "one fulfilment",
    remedy: `${ONCE} Two deliveries may be under way at the same time, so look and mark in one transaction.`,
    async run(trial) {
      const event = await trial.payHeldBack();
      await Promise.all([trial.deliver(event, "either"), trial.deliver(event, "either")]);
    },
  },

  {
    name: "a processing event after the payment",
    effect: "what was there",
    remedy: IN_ANY_ORDER,
    async run(trial) {
      trial.hold("processing");
      await trial.pay();
      await trial.letGo();
    },
  },
  repeated(
    "a failure after the payment",
    (trial, event) => {
      const type = event.type.replace(/\w+$/, "failed");
      return trial.deliver(trial.changed(event, { id: trial.newId("evt"), type, status: "failed" }), "either");
    },
    IN_ANY_ORDER,
  ),

  misleading("another amount", KNOWN, (trial, event) => trial.changed(event, { amount: anotherAmount(trial) })),
  misleading("a payment that nobody knows", KNOWN, (trial, event) =>
    trial.changed(event, { paymentId: trial.newPaymentId(), externalId: trial.newId("order") }),
  ),
  {
    name: "a payment of another order",
    effect: "nothing",
    remedy: KNOWN,
    async run(trial) {
      await trial.deliver(await trial.promisedEvent(await trial.another()), "either");
    },
  },

  misleading("an unknown type of event", READ_WITH_CARE, (trial, event) =>
    trial.changed(event, { type: event.type.replace(/\w+$/, "reconsidered"), status: "reconsidered" }),
  ),
  {
    name: "fields that nobody knows",
    effect: "one fulfilment",
    remedy: "Read the fields that you need and ignore the rest: services add fields without notice.",
    async run(trial) {
      const event = await trial.payHeldBack();
      const more = { apiVersion: "2030-01-01", livemode: false, related: [{ id: trial.newId("evt") }], note: null };
      await trial.deliver(trial.changed(event, { more }), "success");
    },
  },
  misleading("an event without its data", READ_WITH_CARE, (trial, event) => {
    const { id, type } = event;
    return [
      { id, type },
      { id, type, data: null },
      { id: null, type: null },
    ].map((body) => trial.withText(event, JSON.stringify(body)));
  }),
  misleading("JSON that is no event", READ_WITH_CARE, (trial, event) =>
    ["null", "[]", '"event"', "42", "{}"].map((text) => trial.withText(event, text)),
  ),
  misleading("a body that is no JSON", READ_WITH_CARE, (trial, event) =>
    ["", "status=succeeded", "{"].map((text) => trial.withText(event, text)),
  ),

  {
    name: "a forged way back",
    effect: "nothing",
    remedy: ASK,
    run: async (trial) => ((await trial.comeBack()) ? undefined : NO_WAY_BACK),
  },
  {
    name: "the way back before the event",
    effect: "one fulfilment",
    remedy: `${ASK} Whichever comes first may fulfil the order, the other must not do it again.`,
    async run(trial) {
      await trial.payHeldBack();
      if (!(await trial.comeBack())) return NO_WAY_BACK;
      await trial.letGo();
      return undefined;
    },
  },
];

const NO_WAY_BACK = "its payment has no returnUrl";

type Headers = Readonly<Record<string, string>>;

/** The event of a payment that nobody made, with headers that do not belong to it. */
function forged(
  name: string,
  headers: (trial: Trial, event: PaymentEvent) => Headers | readonly Headers[],
  remedy = VERIFY,
): HostileCase {
  return {
    name,
    effect: "nothing",
    remedy,
    async run(trial) {
      const event = await trial.promisedEvent();
      for (const each of [headers(trial, event)].flat()) await trial.deliver(event, "refusal", each);
    },
  };
}

/** Rightly signed, and yet not what it should be, while nobody has paid. */
function misleading(
  name: string,
  remedy: string,
  change: (trial: Trial, event: PaymentEvent) => PaymentEvent | readonly PaymentEvent[],
): HostileCase {
  return {
    name,
    effect: "nothing",
    remedy,
    async run(trial) {
      for (const event of [change(trial, await trial.promisedEvent())].flat()) await trial.deliver(event, "either");
    },
  };
}

/** After the payment was made and its event delivered. */
function repeated(
  name: string,
  deliver: (trial: Trial, event: PaymentEvent) => Promise<void>,
  remedy = ONCE,
): HostileCase {
  return {
    name,
    effect: "what was there",
    remedy,
    async run(trial) {
      await trial.pay();
      await deliver(trial, trial.paidEvent());
    },
  };
}

/** The signature that the service would make, so many seconds from now. */
function signatureOf(trial: Trial, event: PaymentEvent, seconds = 0): DeliverySignature {
  const delivery = trial.toSign(event);
  return signDelivery({ ...delivery, stamp: delivery.stamp + seconds });
}

function anotherAmount({ payment }: Trial): number {
  return payment.amount === 1 ? 2 : 1;
}
