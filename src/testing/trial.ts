import { DeliveryByHand } from "./delivery-by-hand.ts";
import { withQuery } from "../service/payment-intents/return-address.ts";
import type { Simulator } from "../simulator/simulator.ts";
import type { ReceiverAnswer } from "../receivers/receiver-answer.ts";
import { headersOf, signDelivery } from "./delivery-signature.ts";
import type { DeliverySignature, DeliveryToSign } from "./delivery-signature.ts";
import type { HostileDelivery } from "./hostile-report.ts";
import { changed, eventAbout, isAbout, paidStatus, pay } from "./order-payment.ts";
import type { EventChange, PaymentEvent } from "./order-payment.ts";
import type { OrderPayment } from "./payments.ts";

/** What the merchant knows of an order. */
export interface OrderLook {
  readonly fulfilments: number;
  /** What the option `status` answered, as text. */
  readonly status: string | undefined;
}

/** What an answer has to be: `refusal` no 2xx, `success` a 2xx, `either` anything; none of them a crash. */
export type ExpectedAnswer = "refusal" | "success" | "either";

/** A delivery, and what its answer should have been. */
export interface JudgedDelivery {
  readonly delivery: HostileDelivery;
  readonly expected: ExpectedAnswer;
}

/** What a trial is made of. */
export interface TrialOptions {
  readonly sim: Simulator;
  /** The case's name. */
  readonly name: string;
  readonly payment: OrderPayment;
  readonly look: () => Promise<OrderLook>;
  /** Seconds. */
  readonly tolerance: number;
  /** Places another order and answers its payment. */
  readonly another: () => Promise<OrderPayment>;
}

/** One trial of a case: a fresh order, and the means to be hostile about it. */
export class Trial {
  readonly deliveries: JudgedDelivery[] = [];
  readonly #options: TrialOptions;
  readonly #byHand: DeliveryByHand;
  #before: Promise<OrderLook> | undefined;
  #release: () => void = () => undefined;

  constructor(options: TrialOptions) {
    this.#options = options;
    this.#byHand = new DeliveryByHand(options.sim);
  }

  get payment(): OrderPayment {
    return this.#options.payment;
  }

  get scheme(): DeliverySignature["scheme"] {
    return this.#byHand.signing.scheme;
  }

  /** How far from now a stamp is that no merchant should accept, in seconds. */
  get tooFar(): number {
    return this.#options.tolerance + 60;
  }

  /** What the merchant knew before the first hostile delivery. */
  before(): Promise<OrderLook> {
    return (this.#before ??= this.#options.look());
  }

  /** What the merchant knows now. */
  now(): Promise<OrderLook> {
    return this.#options.look();
  }

  /** The event that would say that the order is paid, under an id of its own, while nobody has paid. */
  async promisedEvent(payment = this.payment): Promise<PaymentEvent> {
    const { sim } = this.#options;
    const future = sim.fork();
    try {
      await pay(future, payment);
      return this.changed(eventAbout(future, payment, paidStatus(payment)), { id: this.newId("evt") });
    } finally {
      await future.close();
    }
  }

  /** The event that says that the order is paid, after `pay`. */
  paidEvent(): PaymentEvent {
    const { sim, payment } = this.#options;
    return eventAbout(sim, payment, paidStatus(payment));
  }

  changed(event: PaymentEvent, change: EventChange): PaymentEvent {
    return changed(this.#options.sim, event, change);
  }

  /** The event with a body that no service would write. */
  withText(event: PaymentEvent, text: string): PaymentEvent {
    return { ...event, text };
  }

  newId(prefix: string): string {
    return this.#byHand.newId(prefix);
  }

  /** An id in the place of the payment's. */
  newPaymentId(): string {
    return this.payment.kind === "checkout" ? this.#byHand.newToken() : this.newId("pi");
  }

  newSecret(): string {
    return this.#byHand.newSecret();
  }

  /** The secret of a merchant that exists in a world of its own. */
  async secretOfAnotherMerchant(): Promise<string> {
    const { sim } = this.#options;
    const elsewhere = sim.fork();
    try {
      const answer = await elsewhere.fetch(`${sim.authUrl}/merchants`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-admin-key": sim.credentials.adminKey },
        body: JSON.stringify({ name: "Another merchant", email: "another@merchant.example" }),
      });
      const { data } = (await answer.json()) as { readonly data: { readonly webhookSecret: string } };
      return data.webhookSecret;
    } finally {
      await elsewhere.close();
    }
  }

  /** What has to be signed for a delivery of an event now. */
  toSign({ id, secret, text }: PaymentEvent): DeliveryToSign {
    const { signing, stamp } = this.#byHand;
    return { ...signing, eventId: id, secret, body: text, stamp: Math.floor(stamp / 1000) };
  }

  /** Pays as the customer; what the service announces is delivered, unless it is held. */
  async pay(): Promise<void> {
    await pay(this.#options.sim, this.payment);
  }

  /** Pays, with the event that says so held back; answers that event. */
  async payHeldBack(): Promise<PaymentEvent> {
    this.hold(paidStatus(this.payment));
    await this.pay();
    return this.paidEvent();
  }

  /** Pays, with what the service delivers about it kept as a part of the case. */
  payObserved(): Promise<void> {
    return this.#observed(() => this.pay());
  }

  /** Keeps back the order's events of this status. */
  hold(status: string): void {
    const { payment } = this.#options;
    const type = `${payment.kind}.${status}`;
    this.#release = this.#byHand.hold((event) => event.type === type && isAbout(payment, this.#byHand.bodyOf(event)));
  }

  /** Lets what was held go, as a part of the case. */
  letGo(): Promise<void> {
    return this.#observed(async () => {
      this.#release();
      await this.#options.sim.clock.settle();
    });
  }

  /** Lets what is still held go, when the case is over. */
  async end(): Promise<void> {
    this.#release();
    await this.#options.sim.clock.settle();
  }

  /** Another order's payment. */
  another(): Promise<OrderPayment> {
    return this.#options.another();
  }

  /** Delivers an event with these headers, by default those of a genuine delivery. */
  async deliver(
    event: PaymentEvent,
    expected: ExpectedAnswer,
    headers: Readonly<Record<string, string>> = headersOf(signDelivery(this.toSign(event))),
  ): Promise<void> {
    await this.before();
    const { url, text: body } = event;
    const sent = { method: "POST", url, headers: { ...headers, "content-type": "application/json" }, body } as const;
    const answer = await this.#send(new Request(url, sent));
    this.deliveries.push({ delivery: { ...sent, answer }, expected });
  }

  /** Comes back as a customer whose address says that the order is paid; false where the payment has no `returnUrl`. */
  async comeBack(): Promise<boolean> {
    const { kind, id, externalId, returnUrl } = this.payment;
    if (returnUrl === undefined || !/^https?:/.test(returnUrl)) return false;
    const query = { [kind === "checkout" ? "sessionToken" : "intentId"]: id, externalId };
    const url = withQuery(returnUrl, { ...query, status: paidStatus(this.payment) });
    await this.before();
    const answer = await this.#send(new Request(url));
    this.deliveries.push({ delivery: { method: "GET", url, answer }, expected: "either" });
    return true;
  }

  #send(request: Request): Promise<ReceiverAnswer> {
    return this.#byHand.send(this.#options.name, request);
  }

  async #observed(work: () => Promise<void>): Promise<void> {
    await this.before();
    const earlier = this.#attempts().length;
    await work();
    for (const { body, url, answer } of this.#attempts().slice(earlier))
      this.deliveries.push({ delivery: { method: "POST", url, body, answer }, expected: "success" });
  }

  /** What the service itself has delivered about the order so far. */
  #attempts(): readonly { readonly body: string; readonly url: string; readonly answer: ReceiverAnswer }[] {
    const { sim, payment } = this.#options;
    const bodies = new Map(this.#byHand.events().map((event) => [event.id, this.#byHand.bodyOf(event)]));
    return sim.webhooks.attempts().flatMap(({ eventId, url, answer }) => {
      const body = bodies.get(eventId);
      return body !== undefined && isAbout(payment, body) ? [{ body, url, answer }] : [];
    });
  }
}
