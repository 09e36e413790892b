import { DeliveryByHand } from "../../merchant/deliveries/delivery-by-hand.ts";
import { withQuery } from "../../service/payment-intents/return-address.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import type { ReceiverAnswer } from "../../kit/receivers/receiver-answer.ts";
import { headersOf, signDelivery } from "../../merchant/deliveries/delivery-signature.ts";
import type { DeliverySignature, DeliveryToSign } from "../../merchant/deliveries/delivery-signature.ts";
import type { HostileDelivery } from "./hostile-report.ts";
import type { ExpectedAnswer } from "../../merchant/deliveries/judge-answer.ts";
import { changed, eventAbout, isAbout, paidStatus, pay } from "../../merchant/deliveries/order-payment.ts";
import type { EventChange, PaymentEvent } from "../../merchant/deliveries/order-payment.ts";
import { promisedEvent } from "../../merchant/deliveries/promised-event.ts";
import type { OrderPayment } from "../../merchant/deliveries/payments.ts";
import { authPathsUnder } from "../../service/wire/paths.ts";
import { filledQuery } from "../../service/wire/return-query.ts";
import { Reading } from "../../service/wire/reading.ts";

/** What the merchant knows about an order. */
export interface OrderState {
  readonly fulfilments: number;
  /** The result of the option `status`, as JSON text. */
  readonly status: string | undefined;
}

/** A delivery, and the answer that it should get. */
export interface JudgedDelivery {
  readonly delivery: HostileDelivery;
  readonly expected: ExpectedAnswer;
}

export interface TrialOptions {
  readonly sim: Simulator;
  /** The name of the case. */
  readonly name: string;
  readonly payment: OrderPayment;
  /** Asks the merchant about the order. */
  readonly readOrder: () => Promise<OrderState>;
  /** In seconds. */
  readonly tolerance: number;
  /** Places another order and returns its payment. */
  readonly another: () => Promise<OrderPayment>;
}

/** One run of a case, with a fresh order and the means to attack it. */
export class Trial {
  readonly deliveries: JudgedDelivery[] = [];
  readonly #options: TrialOptions;
  readonly #byHand: DeliveryByHand;
  #before: Promise<OrderState> | undefined;
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

  /** A distance from now, in seconds, at which every merchant should refuse a stamp. */
  get tooFar(): number {
    return this.#options.tolerance + 60;
  }

  /** Returns what the merchant knew before the first hostile delivery. */
  before(): Promise<OrderState> {
    return (this.#before ??= this.#options.readOrder());
  }

  /** Returns what the merchant knows now. */
  now(): Promise<OrderState> {
    return this.#options.readOrder();
  }

  /** Returns the event, with a new id, that the unpaid payment would announce. */
  promisedEvent(payment = this.payment): Promise<PaymentEvent> {
    return promisedEvent(this.#options.sim, payment);
  }

  /** Returns the event of the successful payment. Call `pay` first. */
  paidEvent(): PaymentEvent {
    const { sim, payment } = this.#options;
    return eventAbout(sim, payment, paidStatus(payment));
  }

  changed(event: PaymentEvent, change: EventChange): PaymentEvent {
    return changed(this.#options.sim, event, change);
  }

  /** Returns the event with any text as its body. */
  withText(event: PaymentEvent, text: string): PaymentEvent {
    return { ...event, text };
  }

  newId(prefix: string): string {
    return this.#byHand.newId(prefix);
  }

  newPaymentId(): string {
    return this.payment.kind === "checkout" ? this.#byHand.newToken() : this.newId("pi");
  }

  newSecret(): string {
    return this.#byHand.newSecret();
  }

  /** Returns the webhook secret of another merchant, who is registered in a fork. */
  async secretOfAnotherMerchant(): Promise<string> {
    const { sim } = this.#options;
    const elsewhere = sim.fork();
    try {
      const { overrides } = sim.internals.parts.assumptions;
      const answer = await elsewhere.fetch(sim.authUrl + authPathsUnder(overrides).registration, {
        method: "POST",
        headers: { "content-type": "application/json", "x-admin-key": sim.credentials.adminKey },
        body: JSON.stringify({ name: "Another merchant", email: "another@merchant.example" }),
      });
      const registered = new Reading(overrides).success(await answer.json())?.data;
      return (registered as { readonly webhookSecret: string }).webhookSecret;
    } finally {
      await elsewhere.close();
    }
  }

  /** Returns the parts of a delivery to sign, with the current stamp. */
  toSign(event: PaymentEvent): DeliveryToSign {
    return this.#byHand.toSign(event);
  }

  /** Pays as the customer. The service delivers its events, except for held ones. */
  async pay(): Promise<void> {
    await pay(this.#options.sim, this.payment);
  }

  /** Pays while the success event is held, and returns that event. */
  async payHeldBack(): Promise<PaymentEvent> {
    this.hold(paidStatus(this.payment));
    await this.pay();
    return this.paidEvent();
  }

  /** Pays, and adds the service's own deliveries to the case. */
  payObserved(): Promise<void> {
    return this.#observed(() => this.pay());
  }

  /** Holds the order's events of this status. */
  hold(status: string): void {
    const { payment } = this.#options;
    const type = `${payment.kind}.${status}`;
    this.#release = this.#byHand.hold(
      (event) => event.type === type && isAbout(payment, this.#byHand.read(event.body)),
    );
  }

  /** Delivers held events, and adds those deliveries to the case. */
  releaseHeld(): Promise<void> {
    return this.#observed(async () => {
      this.#release();
      await this.#options.sim.clock.settle();
    });
  }

  /** Delivers whatever is still held after the case. */
  async end(): Promise<void> {
    this.#release();
    await this.#options.sim.clock.settle();
  }

  /** Places another order and returns its payment. */
  another(): Promise<OrderPayment> {
    return this.#options.another();
  }

  /** Delivers an event with these headers; by default those of a genuine delivery. */
  async deliver(
    event: PaymentEvent,
    expected: ExpectedAnswer,
    headers: Readonly<Record<string, string>> = headersOf(signDelivery(this.toSign(event))),
  ): Promise<void> {
    await this.before();
    const request = this.#byHand.requestOf(event, headers);
    const { url } = event;
    const sent = { method: "POST", url, headers: Object.fromEntries(request.headers), body: event.text } as const;
    const answer = await this.#send(request);
    this.deliveries.push({ delivery: { ...sent, answer }, expected });
  }

  /**
   * Opens the `returnUrl` as a customer, with a query which claims that the order is paid. Returns false if the payment has no `returnUrl`.
   */
  async comeBack(): Promise<boolean> {
    const { kind, id, externalId, returnUrl } = this.payment;
    if (returnUrl === undefined || !/^https?:/.test(returnUrl)) return false;
    const { assumptions } = this.#options.sim.internals.parts;
    const template = assumptions.value(kind === "checkout" ? "checkout.return" : "intent.return");
    const values = { sessionToken: id, intentId: id, externalId, status: paidStatus(this.payment) };
    const url = withQuery(returnUrl, filledQuery(template, values));
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

  /** Returns the service's own delivery attempts about the order so far. */
  #attempts(): readonly { readonly body: string; readonly url: string; readonly answer: ReceiverAnswer }[] {
    const { sim, payment } = this.#options;
    const bodies = new Map(this.#byHand.events().map((event) => [event.id, event.body]));
    return sim.webhooks.attempts().flatMap(({ eventId, url, answer }) => {
      const body = bodies.get(eventId);
      return body !== undefined && isAbout(payment, this.#byHand.read(body)) ? [{ body, url, answer }] : [];
    });
  }
}
