import { createSimulator, type Fault, type Simulator, type SimulatorOptions } from "centavo";
import * as fc from "fast-check";
import { HOOKS, loginForm, order, SHOP } from "../merchant/requests.ts";
import { planFault } from "../fuzz/random-faults.ts";

const METHODS = [
  "pm_card_approved",
  "pm_card_challenge",
  "pm_card_stolen",
  "pm_card_insufficient_funds",
  "pm_card_processor_unavailable",
  "pm_gcash",
  "pm_unknownUnknownUnknown000",
];
const FAULTS: readonly Fault[] = [
  { kind: "request.status", status: 503, probability: 0.5 },
  { kind: "request.latency", delay: "20 s", route: "payment-intent.create", times: 2 },
  { kind: "request.hang", nth: 3 },
  { kind: "response.lost", route: "payment-intent.confirm", times: 1 },
  { kind: "response.late", delay: "1 minute", probability: 0.3 },
  { kind: "processor.late", delay: "30 s", probability: 0.5 },
  { kind: "processor.decline", code: "generic_decline", times: 1 },
  { kind: "clock.skew", by: "5 minutes" },
  { kind: "webhook.delay", delay: "10 s", probability: 0.5 },
  { kind: "webhook.duplicate", probability: 0.5 },
  { kind: "webhook.answer-lost", probability: 0.5 },
  { kind: "webhook.refused", probability: 0.3 },
];

/** A run of random acts. A fork replaces its simulator. */
export class RandomRun {
  sim: Simulator;
  readonly #answers: readonly number[];
  /** Calls that faults hold back. */
  readonly #waiting: Promise<unknown>[] = [];
  #deliveries = 0;
  #token = "";
  #snapshot: ReturnType<Simulator["snapshot"]> | undefined;

  constructor(options: SimulatorOptions, answers: readonly number[]) {
    this.#answers = answers;
    this.sim = createSimulator({ webhookUrl: HOOKS, ...options });
    this.connect();
  }

  /** A shop that answers what it is told to, and calls the service back during every third delivery. */
  connect(): void {
    const { sim } = this;
    sim.connect(SHOP, async (request) => {
      this.#deliveries += 1;
      const status = this.#answers[this.#deliveries % this.#answers.length] ?? 200;
      const { data } = (await request.json().catch(() => ({}))) as { data?: { id?: string } };
      if (this.#deliveries % 3 === 0)
        await this.#call("GET", `/api/payment-intent/${data?.id ?? ""}/status`, undefined, sim);
      // A call beside the delivery, which the handler does not await.
      if (this.#deliveries % 4 === 0) void this.#call("POST", "/api/payment-intent", { amount: 500 }, sim);
      if (status === 0) throw new Error("The shop is on fire");
      const headers = { "retry-after": new Date(Date.now() + 3_600_000).toUTCString() };
      return new Response("", { status, ...(status === 503 && { headers }) });
    });
  }

  async logIn(): Promise<void> {
    const response = await this.#waitFor(this.sim.fetch("/oauth", loginForm(this.sim.credentials)));
    const { access_token } = ((await response?.json().catch(() => ({}))) ?? {}) as { access_token?: string };
    this.#token = access_token ?? this.#token;
  }

  async #call(method: string, path: string, body?: object | string, sim = this.sim): Promise<void> {
    await this.#waitFor(
      sim.fetch(path, {
        method,
        headers: { authorization: `Bearer ${this.#token}`, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      }),
    );
  }

  /** Waits for a call, but not for one that is held back, which only the clock could let go. */
  async #waitFor(call: Promise<Response>): Promise<Response | undefined> {
    const settled = call.catch(() => undefined);
    this.#waiting.push(settled);
    const soon = new Promise<undefined>((resolve) => {
      setImmediate(() => setImmediate(() => setImmediate(resolve, undefined)));
    });
    return Promise.race([settled, soon]);
  }

  async do(act: Act): Promise<void> {
    const { sim } = this;
    const intent = sim.intents.last();
    switch (act.do) {
      case "log in":
        return this.logIn();
      case "create":
        return this.#call("POST", "/api/payment-intent", { amount: act.amount, returnUrl: `${SHOP}/back` });
      case "confirm":
        return this.#call("POST", `/api/payment-intent/${intent?.id ?? "pi_none"}/confirm`, {
          paymentMethodId: act.method,
        });
      case "send nonsense":
        return this.#call("POST", "/api/payment-intent", act.body);
      case "check out": {
        await this.#call("POST", "/api/checkout", order());
        const { checkoutUrl } = (sim.checkouts.last() ?? {}) as { checkoutUrl?: string };
        if (checkoutUrl !== undefined && sim.faults.list().length === 0)
          await sim.customer.pay(checkoutUrl, act.method);
        return undefined;
      }
      case "cancel":
        try {
          sim.intents.cancel(intent?.id ?? "pi_none");
        } catch {
          // From most states it cannot be canceled, and that must leave no trace.
        }
        return undefined;
      case "mint": {
        sim.paymentMethods.create({ cardNumber: "4343434343434345", expMonth: "12", expYear: "30", cvc: "123" });
        return undefined;
      }
      case "redeliver": {
        const event = sim.webhooks.events().find(({ url }) => url !== undefined);
        if (event !== undefined) sim.webhooks.redeliver(event.id);
        return undefined;
      }
      case "advance":
        return sim.clock.advance({ milliseconds: act.milliseconds });
      case "settle":
        return sim.clock.settle();
      case "plan":
        planFault(sim, act.fault);
        return undefined;
      case "forget faults":
        sim.faults.clear();
        return undefined;
      case "close":
        await sim.close();
        return this.connect();
      case "keep":
        this.#snapshot = sim.snapshot();
        return undefined;
      case "restore":
        if (this.#snapshot !== undefined) sim.restore(this.#snapshot);
        return undefined;
      case "reset":
        return sim.reset();
      case "fork":
        this.sim = sim.fork({ connect: act.connect });
        return undefined;
      case "connect":
        return this.connect();
    }
  }
}

export type Act =
  | { do: "create"; amount: number }
  | { do: "confirm" | "check out"; method: string }
  | { do: "send nonsense"; body: string }
  | { do: "advance"; milliseconds: number }
  | { do: "plan"; fault: Fault }
  | { do: "fork"; connect: boolean }
  | {
      do:
        | "log in"
        | "cancel"
        | "mint"
        | "redeliver"
        | "settle"
        | "forget faults"
        | "close"
        | "keep"
        | "restore"
        | "reset"
        | "connect";
    };

const payment: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constant("create"), amount: fc.integer({ min: 0, max: 100_000 }) } as const),
  fc.record({ do: fc.constantFrom("confirm", "check out"), method: fc.constantFrom(...METHODS) } as const),
);
const time: fc.Arbitrary<Act> = fc.oneof(
  fc.constant({ do: "settle" } as const),
  fc.record({
    do: fc.constant("advance"),
    milliseconds: fc.constantFrom(0, 1, 2000, 20_000, 3_600_000, 90_000_000),
  } as const),
);
const other: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constantFrom("log in", "cancel", "mint", "redeliver", "connect") } as const),
  fc.record({ do: fc.constant("send nonsense"), body: fc.string({ unit: "binary" }) } as const),
);
const world: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ do: fc.constantFrom("keep", "restore", "reset", "close", "forget faults") } as const),
  fc.record({ do: fc.constant("fork"), connect: fc.boolean() } as const),
  fc.record({ do: fc.constant("plan"), fault: fc.constantFrom(...FAULTS) } as const),
);

export const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: payment },
    { weight: 4, arbitrary: time },
    { weight: 2, arbitrary: other },
    { weight: 1, arbitrary: world },
  ),
  { minLength: 3, maxLength: 40, size: "max" },
);

/** The statuses that a shop answers, delivery by delivery; it throws at 0. */
export const answers: fc.Arbitrary<number[]> = fc.array(fc.constantFrom(200, 200, 204, 500, 503, 410, 0), {
  minLength: 1,
  maxLength: 5,
});
