import { createSimulator } from "../../../src/index.ts";
import type { AssumptionOverrides, Simulator } from "../../../src/index.ts";
import { gatewayTo } from "../../assumptions/gateway.ts";
import type { Expected, Oracle, Target } from "../oracle/oracle.ts";
import { currencies } from "../oracle/oracle.ts";
import { plans } from "../oracle/steps.ts";
import type { Step, Story } from "../oracle/steps.ts";
import type { Answer } from "../oracle/words.ts";
import { Calls } from "./calls.ts";
import type { Fields } from "./calls.ts";

const SHOP = "https://shop.example";
const CONTACT = { name: "Ana Reyes", email: "ana@example.com" };

/** The real service, taken through a story by a merchant that calls it over HTTP, its customers, and the clock. */
export class Service {
  readonly sim: Simulator;
  /** The types of the webhooks that arrived. */
  readonly arrivals: string[] = [];
  readonly #planIds: string[] = [];
  readonly #calls: Calls;
  #read = 0;

  private constructor({ start, processingTime, checkoutRetry }: Story, assumptions: AssumptionOverrides) {
    this.sim = createSimulator({
      now: start,
      webhookUrl: `${SHOP}/hooks`,
      receiverTimeout: 60_000,
      assumptions: { ...assumptions, "intent.processing-time": processingTime, "checkout.retry": checkoutRetry },
    });
    const app = async (request: Request): Promise<Response> => {
      if (request.method === "POST") this.arrivals.push(((await request.json()) as { type: string }).type);
      return new Response();
    };
    const isUsual = Object.keys(assumptions).length === 0;
    const { send, behind } = isUsual ? direct(this.sim) : gatewayTo(this.sim, assumptions);
    this.sim.connect(SHOP, behind(app) as typeof app);
    this.#calls = new Calls(this.sim, send);
  }

  /** How many requests were sent. */
  get requests(): number {
    return this.#calls.count;
  }

  static async open(story: Story, assumptions: AssumptionOverrides): Promise<Service> {
    const service = new Service(story, assumptions);
    for (const { amount, ...rest } of plans) {
      const { body } = await service.#calls.send("POST", "/api/subscription/plans", { name: "Club", amount, ...rest });
      service.#planIds.push(String((body["data"] as Fields)["id"]));
    }
    return service;
  }

  /** Takes a step, and returns the answer if it is a call. The oracle names the resource and the instant. */
  async take(step: Step, target: Target | undefined, oracle: Oracle): Promise<Answer | undefined> {
    const { sim } = this;
    const instant = oracle.instantOf(step);
    if (instant !== undefined) {
      await sim.clock.advanceTo(new Date(instant).toISOString());
      return undefined;
    }
    if (step.do === "create intent")
      return this.#calls.answer("POST", "/api/payment-intent", { amount: step.amount, returnUrl: `${SHOP}/back` });
    if (step.do === "create checkout") {
      const addresses = { webhookUrl: `${SHOP}/hooks`, returnUrl: `${SHOP}/back` };
      return this.#calls.answer("POST", "/api/checkout", {
        externalId: "order",
        amount: step.amount,
        description: "Two mangoes",
        contact: CONTACT,
        ...addresses,
      });
    }
    if (step.do === "initiate")
      return this.#calls.answer("POST", "/api/subscription/initiate", {
        planId: this.#planIds[step.plan],
        contact: CONTACT,
      });
    if (target?.kind === "intent") return this.#onIntent(step, target.index, oracle);
    if (target?.kind === "session") return this.#onSession(step, target.index);
    return target === undefined ? undefined : this.#onSubscription(step, target.index);
  }

  async #onIntent(step: Step, index: number, oracle: Oracle): Promise<Answer | undefined> {
    const { sim } = this;
    const id = sim.intents.list()[index]?.id ?? "";
    if (step.do === "confirm") {
      const body = step.method === undefined ? {} : { paymentMethodId: step.method };
      return this.#calls.answer("POST", `/api/payment-intent/${id}/confirm`, body);
    }
    if (step.do === "cancel intent") sim.intents.cancel(id);
    else {
      const session = oracle.sessionOf(index);
      const challenge = session === undefined ? await this.#challengeOf(id) : await this.#challengeOn(session);
      if (step.do === "pass the challenge") await sim.customer.authenticate(challenge);
      else await sim.customer.failAuthentication(challenge);
    }
    return undefined;
  }

  /** A confirmation that is repeated while a challenge is open tells where that is (`intent.challenge-error`). */
  async #challengeOf(id: string): Promise<string> {
    const { body } = await this.#calls.send("POST", `/api/payment-intent/${id}/confirm`, {});
    const { redirectUrl, nextAction } = body as { redirectUrl?: string; nextAction?: { type: string } };
    return nextAction?.type === "display_details" ? id : (redirectUrl ?? "");
  }

  /** The hosted page redirects to an open challenge. */
  async #challengeOn(session: number): Promise<string> {
    this.#calls.count += 1;
    const response = await this.sim.fetch(this.#checkoutUrl(session), { redirect: "manual" });
    return response.headers.get("location") ?? "";
  }

  #checkoutUrl(session: number): string {
    return this.sim.checkouts.list()[session]?.checkoutUrl ?? "";
  }

  async #onSession(step: Step, index: number): Promise<Answer | undefined> {
    const { sim } = this;
    const { sessionToken = "" } = sim.checkouts.list()[index] ?? {};
    if (step.do === "process")
      return this.#calls.answer("POST", `/api/checkout/process/${sessionToken}`, { paymentMethodId: step.method });
    this.#calls.count += 1;
    if (step.do === "pay on the page") await sim.customer.pay(this.#checkoutUrl(index), step.method);
    else await sim.customer.cancel(this.#checkoutUrl(index));
    return undefined;
  }

  async #onSubscription(step: Step, index: number): Promise<Answer | undefined> {
    const subscriptionId = this.sim.subscriptions.list()[index]?.id ?? "";
    const path = `/api/subscription/${subscriptionId}`;
    if (step.do === "pay the subscription")
      return this.#calls.answer("POST", "/api/subscription/process-payment", {
        subscriptionId,
        paymentMethodId: step.method,
      });
    if (step.do === "change method")
      return this.#calls.answer("PATCH", `${path}/payment-method`, { paymentMethodId: step.method });
    if (step.do === "change plan")
      return this.#calls.answer("PATCH", `${path}/plan`, { planId: this.#planIds[step.plan] });
    return this.#calls.answer("DELETE", path);
  }

  /** Tells what is so, in the oracle's terms: over HTTP where the service shows it, and by the simulator's readers where it does not. */
  async actual(): Promise<Expected> {
    const { sim } = this;
    const intents = sim.intents.list();
    const numberOf = (id: string): number => intents.findIndex((intent) => intent.id === id);
    const instant = (time: string | undefined): number | undefined =>
      time === undefined ? undefined : Date.parse(time);
    const transactions = await this.#calls.list("/api/transactions");
    const sessions = await this.#calls.list("/api/transactions/payment-sessions");
    return {
      transactions: transactions.map(({ type, status, amount, fee, net, currency, paymentMethod, declineCode }) => ({
        type,
        status: String(status),
        amount,
        fee,
        net,
        currency,
        method: methodOf(paymentMethod),
        declineCode,
      })),
      payments: intents.map(({ purpose, amount, status, fee, paymentMethod, declineCode }) => ({
        purpose,
        amount,
        status,
        fee,
        method: paymentMethod?.id,
        declineCode,
      })),
      sessions: sessions.map(({ status, amount, fee, paymentMethod }) => ({
        status: String(status),
        amount,
        fee,
        method: methodOf(paymentMethod),
      })),
      subscriptions: sim.subscriptions
        .list()
        .map(
          ({
            status,
            plan,
            pendingPlan,
            paymentMethod,
            currentPeriodStart,
            currentPeriodEnd,
            nextBillingAt,
            latestInvoice,
          }) => ({
            status,
            amount: plan.amount,
            pending: pendingPlan?.amount,
            method: paymentMethod?.id,
            start: instant(currentPeriodStart),
            end: instant(currentPeriodEnd),
            next: instant(nextBillingAt),
            latest: Number(latestInvoice.number.replace("INV-", "")),
          }),
        ),
      invoices: sim.invoices
        .list()
        .map(
          ({
            number,
            status,
            amount,
            currency,
            periodStart,
            periodEnd,
            attemptCount,
            nextAttemptAt,
            paymentIntent,
          }) => ({
            number: Number(number.replace("INV-", "")),
            status,
            amount,
            currency,
            start: instant(periodStart),
            end: instant(periodEnd),
            attempts: attemptCount,
            next: instant(nextAttemptAt),
            payment: numberOf(paymentIntent.id),
          }),
        ),
      balances: Object.fromEntries(currencies.map((currency) => [currency, sim.ledger(currency).balances])),
      events: this.#newEvents(),
    };
  }

  #newEvents(): Expected["events"] {
    const { sim } = this;
    const names = new Map<unknown, string>([
      ...sim.intents.list().map(({ id }, index): [string, string] => [id, `intent ${index}`]),
      ...sim.subscriptions.list().map(({ id }, index): [string, string] => [id, `subscription ${index}`]),
      ...sim.checkouts.list().map(({ sessionToken }, index): [string, string] => [sessionToken, `session ${index}`]),
    ]);
    const events = sim.webhooks.events();
    const fresh = events.slice(this.#read);
    this.#read = events.length;
    return fresh.map(({ type, createdAt, body }) => {
      const { data, sessionToken, status } = body as {
        data?: { id: string; attributes: { status: string } };
        sessionToken?: string;
        status?: string;
      };
      return {
        at: Date.parse(createdAt),
        type,
        about: names.get(data?.id ?? sessionToken),
        status: data?.attributes.status ?? status ?? "",
      };
    });
  }
}

/** Lets a merchant call the service, and the service call the merchant, without a gateway. */
function direct(sim: Simulator): Pick<ReturnType<typeof gatewayTo>, "send" | "behind"> {
  return { send: sim.fetch, behind: (app) => app };
}

function methodOf(summary: unknown): string | undefined {
  return (summary as { id: string } | undefined)?.id;
}
