import {
  digestWithoutKey,
  headersOf,
  signDelivery,
  signWithoutSecret,
  withSignature,
} from "../../merchant/deliveries/delivery-signature.ts";
import type { DeliverySignature } from "../../merchant/deliveries/delivery-signature.ts";
import type { PaymentEvent } from "../../merchant/deliveries/order-payment.ts";
import type { HostileCase } from "./hostile-case.ts";
import type { Trial } from "./trial.ts";

/** Comes first, because a handler that refuses everything would pass almost all other cases. */
export const honestCase: HostileCase = {
  name: "an honest delivery",
  effect: "first fulfilment",
  remedy:
    "Make this work first, because every other case needs it: verify with this simulator's webhook secret, answer the service's own deliveries with 2xx, and fulfil the order before fulfilments(order) returns.",
  run: (trial) => trial.payObserved(),
};

const VERIFY =
  "Verify the signature over the raw body, with your own secret, before you read anything from it. Answer 401 if it does not match.";
const FRESH = "Refuse a stamp that is more than five minutes before or after your own time.";
const ONCE =
  "Check that an order is not fulfilled, fulfil it and mark it in one step. Answer 2xx, or the service sends the event again.";
const IN_ANY_ORDER =
  "Events arrive late and out of order. Never let an event undo a payment that succeeded, and answer 2xx to an event that says nothing new.";
const KNOWN =
  "Before you fulfil an order, check that the event's payment is the one that you created for it, and that the amount is the full price.";
const READ_WITH_CARE =
  "A signed body may still not be what you expect. If you do not understand one, ignore it with 2xx or refuse it with 4xx, but never crash.";
const ASK =
  "Anybody can open your return URL. Show the customer what the service says about the payment, never what the address says.";

/** Every case after the honest one, in order. */
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
  forged("an unknown secret", (trial, event) =>
    headersOf(signDelivery({ ...trial.toSign(event), secret: trial.newSecret() })),
  ),
  forged("an empty secret", (trial, event) => headersOf(signWithoutSecret(trial.toSign(event)))),
  forged("a digest without a key", (trial, event) => headersOf(digestWithoutKey(trial.toSign(event)))),
  {
    name: "another merchant's payment and secret",
    effect: "none",
    remedy: `${VERIFY} Another merchant may give its own payment your order's externalId and your webhookUrl.`,
    async run(trial) {
      const secret = await trial.secretOfAnotherMerchant();
      const event = trial.changed(await trial.promisedEvent(), { paymentId: trial.newPaymentId() });
      await trial.deliver(event, "refusal", headersOf(signDelivery({ ...trial.toSign(event), secret })));
    },
  },
  forged("a status changed after signing", (trial, event) => {
    const failed = trial.changed(event, { type: typeWith(event, "failed"), status: "failed" });
    return headersOf(signatureOf(trial, failed));
  }),
  forged("an amount changed after signing", (trial, event) =>
    headersOf(signatureOf(trial, trial.changed(event, { amount: anotherAmount(trial) }))),
  ),
  {
    name: "the same JSON in other bytes",
    effect: "none",
    remedy: `${VERIFY} The signature is over the bytes, and JSON that was parsed and serialised again has other bytes.`,
    async run(trial) {
      const event = await trial.promisedEvent();
      const spaced = JSON.stringify(JSON.parse(event.text), undefined, 1);
      await trial.deliver(trial.withText(event, spaced), "refusal", headersOf(signatureOf(trial, event)));
    },
  },
  {
    name: "a body cut short",
    effect: "none",
    remedy: `${VERIFY} Parse the body afterwards.`,
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
    remedy: "Store an event's id only after you have verified its signature and applied its effect.",
    async run(trial) {
      const event = await trial.payHeldBack();
      await trial.deliver(event, "refusal", headersOf(withSignature(signatureOf(trial, event), "0".repeat(64))));
      await trial.releaseHeld();
    },
  },
  {
    name: "a signature in the field of the other mode",
    effect: "at most one",
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
    remedy: `${ONCE} Two deliveries may arrive at the same time, so use a transaction or a unique key.`,
    async run(trial) {
      const event = await trial.payHeldBack();
      await Promise.all([trial.deliver(event, "either"), trial.deliver(event, "either")]);
    },
  },

  {
    name: "a processing event after the payment",
    effect: "unchanged",
    remedy: IN_ANY_ORDER,
    async run(trial) {
      trial.hold("processing");
      await trial.pay();
      await trial.releaseHeld();
    },
  },
  repeated(
    "a failure after the payment",
    (trial, event) => {
      const type = typeWith(event, "failed");
      return trial.deliver(trial.changed(event, { id: trial.newId("evt"), type, status: "failed" }), "either");
    },
    IN_ANY_ORDER,
  ),

  misleading("another amount", KNOWN, (trial, event) => trial.changed(event, { amount: anotherAmount(trial) })),
  misleading("an unknown payment", KNOWN, (trial, event) =>
    trial.changed(event, { paymentId: trial.newPaymentId(), externalId: trial.newId("order") }),
  ),
  {
    name: "a payment of another order",
    effect: "none",
    remedy: KNOWN,
    async run(trial) {
      await trial.deliver(await trial.promisedEvent(await trial.another()), "either");
    },
  },

  misleading("an unknown type of event", READ_WITH_CARE, (trial, event) =>
    trial.changed(event, { type: typeWith(event, "reconsidered"), status: "reconsidered" }),
  ),
  {
    name: "unknown fields",
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
  misleading("JSON that is not an event", READ_WITH_CARE, (trial, event) =>
    ["null", "[]", '"event"', "42", "{}"].map((text) => trial.withText(event, text)),
  ),
  misleading("a body that is not JSON", READ_WITH_CARE, (trial, event) =>
    ["", "status=succeeded", "{"].map((text) => trial.withText(event, text)),
  ),

  {
    name: "a forged way back",
    effect: "none",
    remedy: ASK,
    run: async (trial) => ((await trial.comeBack()) ? undefined : NO_WAY_BACK),
  },
  {
    name: "the way back before the event",
    effect: "one fulfilment",
    remedy: `${ASK} Either the return or the event may fulfil the order, but never both.`,
    async run(trial) {
      await trial.payHeldBack();
      if (!(await trial.comeBack())) return NO_WAY_BACK;
      await trial.releaseHeld();
      return undefined;
    },
  },
];

const NO_WAY_BACK = "its payment has no returnUrl";

type Headers = Readonly<Record<string, string>>;

/** Sends the event of an unpaid payment with invalid headers. */
function forged(
  name: string,
  headers: (trial: Trial, event: PaymentEvent) => Headers | readonly Headers[],
  remedy = VERIFY,
): HostileCase {
  return {
    name,
    effect: "none",
    remedy,
    async run(trial) {
      const event = await trial.promisedEvent();
      for (const each of [headers(trial, event)].flat()) await trial.deliver(event, "refusal", each);
    },
  };
}

/** Sends correctly signed events with wrong content before the order is paid. */
function misleading(
  name: string,
  remedy: string,
  change: (trial: Trial, event: PaymentEvent) => PaymentEvent | readonly PaymentEvent[],
): HostileCase {
  return {
    name,
    effect: "none",
    remedy,
    async run(trial) {
      for (const event of [change(trial, await trial.promisedEvent())].flat()) await trial.deliver(event, "either");
    },
  };
}

/** Delivers again after the payment has succeeded and its event was delivered. */
function repeated(
  name: string,
  deliver: (trial: Trial, event: PaymentEvent) => Promise<void>,
  remedy = ONCE,
): HostileCase {
  return {
    name,
    effect: "unchanged",
    remedy,
    async run(trial) {
      await trial.pay();
      await deliver(trial, trial.paidEvent());
    },
  };
}

/** Signs as the service would, with a stamp that is this many seconds from now. */
function signatureOf(trial: Trial, event: PaymentEvent, seconds = 0): DeliverySignature {
  const delivery = trial.toSign(event);
  return signDelivery({ ...delivery, stamp: delivery.stamp + seconds });
}

function anotherAmount({ payment }: Trial): number {
  return payment.amount === 1 ? 2 : 1;
}

/** Returns the type of an event of the same resource that tells another status. */
function typeWith({ type }: PaymentEvent, status: string): string {
  return `${type.slice(0, type.lastIndexOf(".") + 1)}${status}`;
}
