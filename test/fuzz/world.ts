import { createHash } from "node:crypto";
import { setImmediate as nextMacrotask } from "node:timers/promises";
import { CentavoError, createSimulator, type Simulator, type Snapshot } from "../../src/index.ts";
import { Invariants } from "./invariants.ts";
import type { ApiCall, Behaviour, Command, Patience, Script } from "./random-world.ts";
import { planFault } from "./random-faults.ts";

const SHOPS = ["https://shop.example", "https://other.example"] as const;
/** More turns of the event loop than any call takes unless it is held back. */
const MOST_TURNS = 10_000;
const TURNS_AFTER_WAITING = 20;
const MOST_CALLS_BACK = 25;
/** A check reads everything, which costs as much as some commands; the journal forgets nothing in between. */
const COMMANDS_BETWEEN_CHECKS = 4;
const LEAVING = new Set<string>(["fork", "go back", "pass through JSON", "reset"]);
const HOLDING = new Set<string>(["request.latency", "request.hang", "response.late"]);

interface Tokens {
  readonly access: string;
  readonly refresh: string;
}

interface KnownMerchant {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly tokens?: Tokens | undefined;
}

/** A call as it was made, so that it can be made again. */
interface MadeCall {
  readonly merchant: 0 | 1;
  readonly method: string;
  readonly path: string;
  readonly bearer?: string;
  readonly body?: object | string;
  readonly idempotencyKey?: string;
}

/** What merchants and customers know, as plain data that is kept and restored with the world. */
export interface Memory {
  readonly merchants: KnownMerchant[];
  /** Addresses of challenge pages, and of intents that are paid by displayed details. */
  readonly challenges: string[];
  readonly clientKeys: Record<string, string>;
  readonly methods: string[];
  readonly calls: MadeCall[];
  /** How many webhooks and returning customers have come to the merchants' apps. */
  arrivals: number;
  callsBack: number;
  /** How often each event was sent again by hand. */
  readonly redeliveries: Record<string, number>;
  /** A hash over every answer that was read, and every request that came to an app. */
  seen: string;
}

/** A world that was kept, to go back to. */
interface Kept {
  readonly snapshot: string;
  readonly memory: Memory;
  /** The one that was kept before. */
  readonly earlier: Kept | undefined;
}

/** Whether a call's client still waits for it. */
interface Attention {
  readonly signal: AbortSignal;
  left: boolean;
}

/**
 * A simulator in which a script happens, with the merchants that call it and are called by it.
 * It runs without vitest too, for hours, so it logs in without the merchant harness.
 */
export class World {
  sim: Simulator;
  memory: Memory = emptyMemory();
  readonly #script: Script;
  readonly #checked: boolean;
  #invariants: Invariants;
  #kept: Kept | undefined;
  /** Worlds that were forked from and left behind, with what their journals said then. */
  readonly #leftBehind: { readonly sim: Simulator; readonly digest: string }[] = [];

  /** @param options.checked whether the invariants are checked after every command */
  constructor(script: Script, options: { readonly checked: boolean; readonly sim?: Simulator }) {
    this.#script = script;
    this.#checked = options.checked;
    this.sim = options.sim ?? newSimulator(script);
    this.#connect();
    this.#invariants = new Invariants(this.sim, script.assumptions);
  }

  /** The second merchant registers; each logs in with its first call. */
  async begin(): Promise<this> {
    const { credentials, authUrl } = this.sim;
    const response = await this.sim.fetch(`${authUrl}/merchants`, {
      method: "POST",
      headers: { "x-admin-key": credentials.adminKey, "content-type": "application/json" },
      body: JSON.stringify({ name: "Other", email: "other@shop.example", webhookUrl: `${SHOPS[1]}/hooks` }),
    });
    const { data } = (await response.json()) as { data: KnownMerchant };
    const { clientId, clientSecret } = credentials;
    this.memory.merchants.push(
      { clientId, clientSecret },
      { clientId: data.clientId, clientSecret: data.clientSecret },
    );
    return this;
  }

  /** Does some commands, one after the other. */
  async live(commands: readonly Command[]): Promise<void> {
    for (const [index, command] of commands.entries()) {
      // A command that goes to another world leaves this one's journal unread.
      if (LEAVING.has(command.do)) this.#check();
      await this.#do(command);
      if (index % COMMANDS_BETWEEN_CHECKS === 0) this.#check();
    }
    this.#check();
  }

  #check(): void {
    if (this.#checked) this.#invariants.check(this.memory.redeliveries);
  }

  /** Whether webhooks are signed with virtual time, and not with that of the process. */
  get stampsAreVirtual(): boolean {
    return this.#script.assumptions["webhook.stamp"] === "virtual";
  }

  /** Runs the clock until no call is held back any more, because a copy of the world has no client to answer them. */
  async awaitHeldCalls(): Promise<void> {
    for (let next = this.#nextRelease(); next !== undefined; next = this.#nextRelease()) {
      await this.sim.clock.advanceTo(next);
      await turns(TURNS_AFTER_WAITING);
    }
  }

  /** Ends the world: runs what is due, checks everything once more, and breaks off the calls that are still held back. */
  async end(): Promise<void> {
    await this.sim.clock.settle();
    if (this.#checked) this.#invariants.checkAtTheEnd(this.memory.redeliveries);
    for (const { sim, digest } of this.#leftBehind)
      if (sim.journal.digest() !== digest)
        throw new Error("What happened in a fork was seen in the world that it came from.");
    await this.sim.close();
  }

  /** The world as it can be kept in a file. */
  keep(): Kept {
    const earlier = this.#kept;
    return { snapshot: JSON.stringify(this.sim.snapshot()), memory: structuredClone(this.memory), earlier };
  }

  /** The same world in another simulator, by way of its snapshot. */
  static restored(script: Script, { snapshot, memory, earlier }: Kept): World {
    const world = new World(script, { checked: false });
    world.#kept = earlier;
    world.memory = structuredClone(memory);
    world.sim.restore(JSON.parse(snapshot) as Snapshot);
    return world;
  }

  /** The same world in a fork. */
  fork(): World {
    const world = new World(this.#script, { checked: false, sim: this.sim.fork() });
    world.memory = structuredClone(this.memory);
    world.#kept = this.#kept;
    return world;
  }

  async #do(command: Command): Promise<void> {
    const { sim, memory } = this;
    switch (command.do) {
      case "call":
        return this.#attend(command.patience, (attention) => this.#call(command, attention));
      case "repeat": {
        const made = one(memory.calls, command.pick);
        return made && this.#attend(command.patience, (attention) => this.#make(made, attention));
      }
      case "pay":
      case "cancel checkout": {
        const { checkoutUrl, sessionToken } = one(sim.checkouts.list(), command.pick) ?? {};
        const url = checkoutUrl ?? `${sim.baseUrl}/pay/${sessionToken}`;
        if (sessionToken === undefined) return undefined;
        return this.#attend("waits", async () => {
          if (command.do === "cancel checkout") await sim.customer.cancel(url);
          else this.#remember(await sim.customer.pay(url, this.#methodNamed(command.method, command.pick)));
        });
      }
      case "authenticate":
      case "fail authentication":
      case "abandon": {
        const challenge = one(memory.challenges, command.pick);
        if (challenge === undefined) return undefined;
        return this.#attend("waits", async () => {
          if (command.do === "authenticate") await sim.customer.authenticate(challenge);
          else if (command.do === "abandon") await sim.customer.abandon(challenge);
          else await sim.customer.failAuthentication(challenge);
        });
      }
      case "advance":
        return sim.clock.advance({ milliseconds: command.milliseconds });
      case "settle":
        return sim.clock.settle();
      case "add fault":
        planFault(sim, command.fault);
        return undefined;
      case "remove fault": {
        const fault = one(sim.faults.list(), command.pick);
        if (fault !== undefined) sim.faults.remove(fault.id);
        return undefined;
      }
      case "clear faults":
        return sim.faults.clear();
      case "cancel intent": {
        const intent = one(sim.intents.list(), command.pick);
        if (intent !== undefined) unlessRefused(() => sim.intents.cancel(intent.id));
        return undefined;
      }
      case "redeliver": {
        const event = one(sim.webhooks.events(), command.pick);
        if (event === undefined) return undefined;
        unlessRefused(() => {
          sim.webhooks.redeliver(event.id);
          memory.redeliveries[event.id] = (memory.redeliveries[event.id] ?? 0) + 1;
        });
        return undefined;
      }
      case "mint card": {
        const cardNumber = one(["4343434343434345", "4120000000000007", "5123000000000001"], command.pick) ?? "";
        memory.methods.push(sim.paymentMethods.create({ cardNumber, expMonth: "12", expYear: "26", cvc: "123" }));
        return undefined;
      }
      case "fork":
        return this.#goOnInFork();
      case "keep":
        this.#kept = this.keep();
        return undefined;
      case "go back":
        if (this.#kept !== undefined) this.#goTo(this.#kept);
        return undefined;
      case "pass through JSON":
        return this.#goTo(this.keep());
      case "reset":
        sim.reset();
        this.memory = emptyMemory();
        this.#invariants = new Invariants(sim, this.#script.assumptions);
        await this.begin();
        return undefined;
    }
  }

  /** Goes on in a fork. The old world must not change. */
  #goOnInFork(): void {
    const digest = this.sim.journal.digest();
    this.#leftBehind.push({ sim: this.sim, digest });
    this.sim = this.sim.fork();
    this.memory = structuredClone(this.memory);
    this.#connect();
    this.#invariants = new Invariants(this.sim, this.#script.assumptions);
  }

  #goTo({ snapshot, memory }: Kept): void {
    this.sim.restore(JSON.parse(snapshot) as Snapshot);
    this.memory = structuredClone(memory);
    this.#invariants = new Invariants(this.sim, this.#script.assumptions);
  }

  #connect(): void {
    for (const shop of SHOPS) this.sim.connect(shop, (request) => this.#answer(request));
  }

  async #answer(request: Request): Promise<Response> {
    const { receiver } = this.#script;
    const { memory } = this;
    const behaviour = receiver[memory.arrivals % receiver.length] as Behaviour;
    memory.arrivals += 1;
    this.#see(`${request.method} ${request.url} ${await request.text()}`);
    if (behaviour.answer === "throws") throw new Error("The shop is on fire");
    if (behaviour.answer === "returns no response") return undefined as unknown as Response;
    if (behaviour.answer === "calls back") {
      memory.callsBack += 1;
      // A shop that calls the service for every event makes events forever.
      if (memory.callsBack <= MOST_CALLS_BACK) await this.#callBack((behaviour as { call: ApiCall }).call);
      return new Response("called back");
    }
    const {
      answer,
      retryAfter,
      turns: slowness = 0,
    } = behaviour as { answer: number; retryAfter?: number; turns?: number };
    await turns(slowness);
    const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
    return new Response(answer === 204 ? null : "thanks", { status: answer, headers });
  }

  /** The clock stands still while it waits for the shop, so the shop must not wait for the clock either. */
  async #callBack(call: ApiCall): Promise<void> {
    const patience = call.patience === "gives up" ? "gives up" : "goes on without";
    await this.#attend(patience, (attention) => this.#call(call, attention));
  }

  /**
   * Does work that calls the service, until it is done or a fault holds it back; `patience` then decides.
   * A caller that goes on without an answer never reads it.
   */
  async #attend(patience: Patience, work: (attention: Attention) => Promise<unknown>): Promise<void> {
    const { sim } = this;
    const controller = new AbortController();
    const attention: Attention = { signal: controller.signal, left: false };
    const heldBefore = holdUps(sim);
    let done = false;
    let failure: Error | undefined;
    work(attention).then(
      () => (done = true),
      (error: Error) => {
        done = true;
        failure = error;
      },
    );
    const isDone = (): boolean => done;
    const isHeld = (): boolean => holdUps(sim) > heldBefore;
    for (let turn = 0; !isDone() && !isHeld(); turn += 1) {
      if (turn === MOST_TURNS) throw new Error("A call was neither answered nor held back by a fault.");
      await nextMacrotask();
    }
    if (!isDone() && patience === "waits") {
      for (let next = this.#nextRelease(); !isDone() && next !== undefined; next = this.#nextRelease()) {
        await sim.clock.advanceTo(next);
        for (let turn = 0; !isDone() && turn < TURNS_AFTER_WAITING; turn += 1) await nextMacrotask();
      }
    }
    attention.left = true;
    if (!isDone() && patience === "gives up") {
      controller.abort();
      await turns(3);
    }
    if (failure !== undefined && !isBrokenNetwork(failure)) throw failure;
  }

  #nextRelease(): string | undefined {
    return this.sim.clock.pending().find(({ key }) => key.startsWith("held-call/"))?.at;
  }

  async #call(call: ApiCall, attention: Attention): Promise<void> {
    if (call.call === "refresh token") return this.#logIn(call.merchant, attention, true);
    const target = this.#targetOf(call);
    if (target === undefined) return undefined;
    const { idempotencyKey } = call;
    const made: MadeCall = {
      merchant: call.merchant,
      ...target,
      ...(idempotencyKey === undefined ? {} : { idempotencyKey: `key-${idempotencyKey}` }),
    };
    this.memory.calls.push(made);
    return this.#make(made, attention);
  }

  /** Makes a call, with a new token if the old one has expired. */
  async #make(made: MadeCall, attention: Attention, isRetry = false): Promise<void> {
    const { memory } = this;
    if (made.bearer === undefined && memory.merchants[made.merchant]?.tokens === undefined)
      await this.#logIn(made.merchant, attention);
    if (attention.left) return;
    const token = made.bearer ?? memory.merchants[made.merchant]?.tokens?.access ?? "none";
    const answer = await this.#fetch(made.path, attention, {
      method: made.method,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        ...(made.idempotencyKey === undefined ? {} : { "idempotency-key": made.idempotencyKey }),
      },
      ...(made.body === undefined
        ? {}
        : { body: typeof made.body === "string" ? made.body : JSON.stringify(made.body) }),
    });
    if (answer === undefined) return;
    if (answer.status === 401 && made.bearer === undefined) {
      const { clientId = "", clientSecret = "", tokens } = memory.merchants[made.merchant] ?? {};
      memory.merchants[made.merchant] = { clientId, clientSecret };
      // An expired token is replaced once.
      if (tokens !== undefined && !isRetry) return this.#make(made, attention, true);
    }
    this.#remember(answer.body);
    this.#remember((answer.body as { data?: unknown } | undefined)?.data);
  }

  async #logIn(merchant: 0 | 1, attention: Attention, refresh = false): Promise<void> {
    const known = this.memory.merchants[merchant];
    if (known === undefined) return;
    const { clientId, clientSecret, tokens } = known;
    const body = new URLSearchParams({
      client_id: clientId,
      client_secret: clientSecret,
      ...(refresh && tokens !== undefined ? { grant_type: "refresh_token", refresh_token: tokens.refresh } : {}),
    });
    const answer = await this.#fetch(`${this.sim.authUrl}/oauth`, attention, { method: "POST", body });
    const { access_token: access, refresh_token } = (answer?.body ?? {}) as {
      access_token?: string;
      refresh_token?: string;
    };
    if (access !== undefined && refresh_token !== undefined)
      this.memory.merchants[merchant] = { clientId, clientSecret, tokens: { access, refresh: refresh_token } };
  }

  /** The parsed answer, or undefined if its caller no longer waits for it. */
  async #fetch(
    path: string,
    attention: Attention,
    init: RequestInit,
  ): Promise<{ readonly status: number; readonly body: unknown } | undefined> {
    const response = await this.sim.fetch(path, { ...init, signal: attention.signal });
    const text = await response.text();
    if (attention.left) return undefined;
    this.#see(`${response.status} ${text}`);
    return { status: response.status, body: parsed(text) };
  }

  #targetOf({ call, pick, method, amount, merchant }: ApiCall): Omit<MadeCall, "merchant"> | undefined {
    const { sim, memory } = this;
    const intent = one(sim.intents.list(), pick);
    const session = one(sim.checkouts.list(), pick)?.sessionToken;
    const plans = sim.plans.list();
    const subscription = one(sim.subscriptions.list(), pick)?.id;
    const paymentMethodId = this.#methodNamed(method, pick);
    const shop = SHOPS[merchant];
    const contact = { name: "Ana Reyes", email: "ana@example.com" };
    const own =
      pick % 2 === 0 ? { externalId: `order-${pick}`, webhookUrl: `${shop}/own`, returnUrl: `${shop}/back` } : {};
    const about = (
      path: string | undefined,
      rest: Omit<MadeCall, "merchant" | "path">,
    ): Omit<MadeCall, "merchant"> | undefined => (path === undefined ? undefined : { path, ...rest });
    const onIntent = (part: string): string | undefined => intent && `/api/payment-intent/${intent.id}/${part}`;
    const onSubscription = (part = ""): string | undefined =>
      subscription && `/api/subscription/${subscription}${part}`;
    switch (call) {
      case "create intent":
        return about("/api/payment-intent", { method: "POST", body: { amount, metadata: { pick }, ...own } });
      case "confirm intent":
        return about(onIntent("confirm"), { method: "POST", body: { paymentMethodId } });
      case "confirm with client key": {
        const bearer = memory.clientKeys[intent?.id ?? ""];
        return bearer === undefined
          ? undefined
          : about(onIntent("confirm"), { method: "POST", bearer, body: { paymentMethodId, contact } });
      }
      case "confirm with card": {
        const cardNumber = pick % 2 === 0 ? "4343434343434345" : "4120000000000007";
        const creditCardDetails = { cardNumber, expMonth: "01", expYear: "26", cvc: "123" };
        return about(onIntent("confirm"), { method: "POST", body: { paymentMethod: "card", creditCardDetails } });
      }
      case "intent status":
        return about(onIntent("status"), { method: "GET" });
      case "create checkout": {
        const addresses = { webhookUrl: `${shop}/checkout`, returnUrl: `${shop}/thanks` };
        const body = { externalId: `cart-${pick}`, amount, description: "Two mangoes", contact, ...addresses };
        return about("/api/checkout", { method: "POST", body });
      }
      case "process checkout":
        return about(session && `/api/checkout/process/${session}`, { method: "POST", body: { paymentMethodId } });
      case "poll checkout":
        return about(session && `/api/checkout/polling/${session}`, { method: "GET" });
      case "create plan": {
        const interval = one(["year", "month", "week", "day"], pick);
        return about("/api/subscription/plans", { method: "POST", body: { name: "Club", amount, interval } });
      }
      case "initiate": {
        const plan = one(plans, pick);
        if (plan === undefined)
          return this.#targetOf({ do: "call", call: "create plan", merchant, pick, method, amount, patience: "waits" });
        return about("/api/subscription/initiate", { method: "POST", body: { planId: plan.id, contact, ...own } });
      }
      case "process payment":
        return about(subscription && "/api/subscription/process-payment", {
          method: "POST",
          body: { subscriptionId: subscription, paymentMethodId },
        });
      case "change plan":
        return about(onSubscription("/plan"), {
          method: "PATCH",
          body: { planId: one(plans, pick)?.id ?? "plan_none" },
        });
      case "change card":
        return about(onSubscription("/payment-method"), { method: "PATCH", body: { paymentMethodId } });
      case "cancel subscription":
        return about(onSubscription("?reason=tired"), { method: "DELETE" });
      case "read subscription":
        return about(onSubscription(), { method: "GET" });
      case "list subscriptions":
        return about(`/api/subscription?limit=${pick + 1}`, { method: "GET" });
      case "list transactions":
        return about(`/api/transactions?limit=${pick + 1}&offset=${pick % 2}`, { method: "GET" });
      case "list payment sessions":
        return about("/api/transactions/payment-sessions", { method: "GET" });
      case "refresh token":
        return undefined;
      case "nonsense":
        return about(pick % 2 === 0 ? "/api/nothing" : "/api/payment-intent", { method: "POST", body: '{"amount":' });
    }
  }

  #methodNamed(name: string, pick: number): string {
    return name === "minted" ? (one(this.memory.methods, pick) ?? "pm_unknownUnknownUnknown000") : name;
  }

  /** Keeps the addresses and keys of an answer. */
  #remember(answer: unknown): void {
    if (typeof answer !== "object" || answer === null) return;
    const { redirectUrl, redirectedTo, id, clientKey, nextAction } = answer as {
      redirectUrl?: unknown;
      redirectedTo?: unknown;
      id?: unknown;
      clientKey?: unknown;
      nextAction?: { type?: unknown } | null;
    };
    for (const url of [redirectUrl, redirectedTo])
      if (typeof url === "string" && url.startsWith(`${this.sim.baseUrl}/authenticate/`))
        this.memory.challenges.push(url);
    if (typeof id === "string" && id.startsWith("pi_")) {
      if (typeof clientKey === "string") this.memory.clientKeys[id] = clientKey;
      if (nextAction?.type === "display_details") this.memory.challenges.push(id);
    }
  }

  #see(text: string): void {
    this.memory.seen = createHash("sha256").update(this.memory.seen).update(text).digest("hex");
  }
}

function newSimulator({ seed, assumptions }: Script): Simulator {
  // More real time than any delivery needs, so that a busy machine cannot change the outcome.
  return createSimulator({ seed, assumptions, webhookUrl: `${SHOPS[0]}/hooks`, receiverTimeout: 60_000 });
}

function emptyMemory(): Memory {
  return {
    merchants: [],
    challenges: [],
    clientKeys: {},
    methods: [],
    calls: [],
    arrivals: 0,
    callsBack: 0,
    redeliveries: {},
    seen: "",
  };
}

/** One of some values; 0 is the newest. */
function one<Value>(values: readonly Value[], pick: number): Value | undefined {
  return values.at(-1 - (pick % Math.max(1, values.length)));
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await nextMacrotask();
}

/** How often faults have let calls wait. */
function holdUps(sim: Simulator): number {
  return sim.faults
    .list()
    .filter(({ fault }) => HOLDING.has(fault.kind) || (fault.kind === "response.lost" && fault.as === "hang"))
    .reduce((total, { hits }) => total + hits, 0);
}

/** `fetch` rejects with a `TypeError` when a fault breaks the network, and with the signal's reason when its caller gave up. */
function isBrokenNetwork(error: unknown): boolean {
  return (
    (error instanceof TypeError && error.message === "fetch failed") ||
    (error instanceof DOMException && error.name === "AbortError")
  );
}

function unlessRefused(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof CentavoError) || error.code !== "INVALID_STATE") throw error;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
