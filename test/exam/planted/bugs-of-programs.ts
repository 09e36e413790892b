import type { PlantedBug } from "./planted-bug.ts";

const LEASED = "if (lease !== undefined && lease.until > now().getTime()) return;";
const RESUMED = "if (order.isConfirming) confirm(order).catch(() => undefined);";
const ASKED = "if (order?.intent !== undefined) await ask(order).catch(() => undefined);";

/** Bugs of programs and jobs that overlap, of clocks that differ, and of calls that hang. */
export const bugsOfPrograms: readonly PlantedBug[] = [
  {
    name: "lets one run of the job go on, by a flag in memory",
    merchant: "the doubled shop",
    file: "doubled-shop.ts",
    find: LEASED,
    replace:
      "const memory = workOff as { isBusy?: boolean }; if (memory.isBusy === true) return; memory.isBusy = true; setTimeout(() => (memory.isBusy = false), MINUTE);",
    laws: ["fulfilled-once"],
  },
  {
    name: "a lease that its own program may take again",
    merchant: "the doubled shop",
    file: "doubled-shop.ts",
    find: LEASED,
    replace: LEASED.replace("lease.until", "lease.program !== program && lease.until"),
    laws: ["fulfilled-once"],
  },
  {
    name: "a lease that is shorter than two clocks differ",
    merchant: "the doubled shop",
    file: "doubled-shop.ts",
    find: "const LEASE = 15 * MINUTE;",
    replace: "const LEASE = MINUTE;",
    laws: ["fulfilled-once"],
  },
  {
    name: "takes what another program does for what a dead one has left",
    merchant: "the doubled shop",
    file: "doubled-shop.ts",
    find: RESUMED,
    replace:
      'if (order.isConfirming && order.intent !== undefined) call<Intent>("GET", `/api/payment-intent/${order.intent}/status`).then(async ({ data }) => { if (data?.status !== "requires_payment_method") return; const again = await call<Intent>("POST", "/api/payment-intent", { amount: order.amount, externalId: order.id, description: "A lamp", returnUrl: url, webhookUrl: `${url}/events` }, `again-${order.id}`); order.intent = again.data?.id ?? order.intent; await call("POST", `/api/payment-intent/${order.intent}/confirm`, { paymentMethodId: order.method }, `confirm-again-${order.id}`); }).catch(() => undefined);',
    laws: ["charged-once", "charged-as-asked"],
  },
  {
    name: "reads without a timeout",
    file: "payment-service.ts",
    find: "({ ...request, signal: this.#timeout(LONGEST_CALL) })",
    replace: '(request.method === "GET" ? request : { ...request, signal: this.#timeout(LONGEST_CALL) })',
    laws: ["nothing-waits-for-ever"],
  },
  {
    name: "repeats a timed-out call for ever",
    file: "payment-service.ts",
    find: "if (tries === 1 || ",
    replace: 'if ((tries <= 1 && (error as Error).name !== "CanceledError") || ',
    laws: ["no-storm-of-calls"],
  },
  {
    name: "takes a timed-out read for a payment that failed",
    merchant: "the doubled shop",
    file: "doubled-shop.ts",
    find: ASKED,
    replace:
      'if (order?.intent !== undefined) await ask(order).catch((error: Error) => { if (error.name === "TimeoutError") order.status = "failed"; });',
    laws: ["paid-and-fulfilled", "status-agrees", "acts-on-what-it-was-told"],
  },
];
