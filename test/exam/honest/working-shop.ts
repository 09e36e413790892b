import type { ExamOptions, Opening } from "centavo/exam";
import { verifyWebhook } from "centavo/webhooks";
import { callsOf } from "./service-calls.ts";
import type { Call } from "./service-calls.ts";

/** A payment that the worker watches until it has ended. */
interface Task {
  readonly order: string;
  readonly intent: string;
  readonly since: number;
  due: number;
  pause: number;
}

interface Order {
  readonly id: string;
  readonly amount: number;
  status: "open" | "paid" | "failed";
  parcels: number;
  /** The payments that were begun. The key of each is stored before the service is called. */
  readonly attempts: { readonly key: string; intent?: string }[];
}

interface Data {
  readonly orders: Record<string, Order>;
  readonly tasks: Task[];
}

const SECOND = 1000;
const LONGEST_PAUSE = 20 * 60 * SECOND;
const DAY = 86_400 * SECOND;
const ENDED = new Set(["failed", "canceled"]);

/** Works the tasks off that are due, and sleeps until the next is due or somebody wakes it. It has no other schedule. */
class Worker {
  readonly #opening: Pick<Opening<Data>, "store" | "now">;
  readonly #call: Call;
  #wake = (): void => undefined;

  constructor(opening: Pick<Opening<Data>, "store" | "now">, call: Call) {
    this.#opening = opening;
    this.#call = call;
    void this.#run();
  }

  watch(order: string, intent: string): void {
    const { store, now } = this.#opening;
    const moment = now().getTime();
    if (!store.tasks.some((task) => task.intent === intent))
      store.tasks.push({ order, intent, since: moment, due: moment + 10 * SECOND, pause: 10 * SECOND });
    this.#wake();
  }

  /** Has a payment asked for at once. */
  hurry(intent: string): void {
    const { store, now } = this.#opening;
    for (const task of store.tasks) if (task.intent === intent) task.due = now().getTime();
    this.#wake();
  }

  async look(task: Task): Promise<void> {
    const { store, now } = this.#opening;
    const { data } = await this.#call<{ status: string }>("GET", `/api/payment-intent/${task.intent}/status`);
    const status = data?.status ?? "";
    const order = store.orders[task.order] as Order;
    // A request or the worker may have learned it meanwhile.
    if (!store.tasks.includes(task)) return;
    const isIdle = status === "requires_payment_method" && now().getTime() - task.since > DAY;
    if (status !== "succeeded" && !ENDED.has(status) && !isIdle) return;
    store.tasks.splice(store.tasks.indexOf(task), 1);
    if (status === "succeeded") Object.assign(order, { status: "paid", parcels: order.parcels + 1 });
    else if (order.status === "open" && order.attempts.at(-1)?.intent === task.intent) order.status = "failed";
  }

  async #run(): Promise<never> {
    const { store, now } = this.#opening;
    for (;;) {
      const moment = now().getTime();
      const task = store.tasks.find(({ due }) => due <= moment);
      if (task === undefined) await this.#sleep(Math.min(...store.tasks.map(({ due }) => due - moment), DAY));
      else {
        task.due = moment + task.pause;
        task.pause = Math.min(2 * task.pause, LONGEST_PAUSE);
        await this.look(task).catch(() => undefined);
      }
    }
  }

  #sleep(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** A shop whose worker watches every payment until it has ended. Events only wake the worker, and are believed in nothing else. */
function openWorkingShop({ sim, fetch, timeout, now, store, url }: Opening<Data>) {
  const call = callsOf({ sim, fetch, timeout });
  const worker = new Worker({ store, now }, call);

  const pay = async (order: Order, paymentMethodId: string): Promise<Response> => {
    const known = store.tasks.find((task) => task.intent === order.attempts.at(-1)?.intent);
    if (known !== undefined) await worker.look(known);
    if (order.status === "paid") return Response.json(order);
    if (order.status === "failed" || order.attempts.length === 0) {
      order.attempts.push({ key: `${order.id}-${order.attempts.length}` });
      order.status = "open";
    }
    const attempt = order.attempts.at(-1) as Order["attempts"][number];
    if (attempt.intent === undefined) {
      const addresses = { returnUrl: `${url}/orders/${order.id}`, webhookUrl: `${url}/events` };
      const fields = { amount: order.amount, externalId: attempt.key, description: "A lamp", ...addresses };
      const { data } = await call<{ id: string }>("POST", "/api/payment-intent", fields, attempt.key);
      if (data === undefined) return new Response("Try again later.", { status: 503 });
      attempt.intent = data.id;
    }
    worker.watch(order.id, attempt.intent);
    const { redirectUrl } = await call("POST", `/api/payment-intent/${attempt.intent}/confirm`, { paymentMethodId });
    return Response.json({ ...order, next: redirectUrl });
  };

  const answer = async (request: Request): Promise<Response> => {
    const [, place, id = ""] = new URL(request.url).pathname.split("/");
    if (place === "events") {
      const event = await verifyWebhook(request, sim.credentials.webhookSecret, { now }).catch(() => undefined);
      if (event === undefined) return new Response(null, { status: 401 });
      if ("data" in event) worker.hurry(event.data.id);
      return new Response(null, { status: 202 });
    }
    if (request.method === "POST")
      store.orders[id] ??= { id, amount: 65_000, status: "open", parcels: 0, attempts: [] };
    const order = store.orders[id];
    if (order === undefined) return new Response("There is no such order.", { status: 404 });
    return request.method === "POST" ? pay(order, await request.text()) : Response.json(order);
  };

  return (request: Request): Promise<Response> =>
    answer(request).catch((error: unknown) => new Response(String(error), { status: 503 }));
}

export const workingShop: ExamOptions<Data> = {
  open: openWorkingShop,
  store: { orders: {}, tasks: [] },
  acts: {
    order: ({ visit, id, method }) => visit(`/orders/${id}`, { method: "POST", body: method }),
    payAgain: ({ visit, id, method }) => visit(`/orders/${id}`, { method: "POST", body: method }),
    look: ({ visit, id }) => visit(`/orders/${id}`),
  },
  books: ({ store }) => ({
    orders: Object.values(store.orders).map(({ id, amount, status, parcels }) => ({
      id,
      amount,
      status,
      fulfilments: parcels,
    })),
  }),
};
