import { forgedRequest } from "../../merchant/deliveries/forge-delivery.ts";
import { paidStatus } from "../../merchant/deliveries/order-payment.ts";
import { promisedEvent } from "../../merchant/deliveries/promised-event.ts";
import { leftOut, onlyWithCustomers } from "../../troubles/in-shake.ts";
import { openPayments } from "../playing/open-payments.ts";
import type { Acting, Trouble } from "./trouble.ts";
import { filledQuery } from "../../service/wire/return-query.ts";

type Forgery = "unsigned" | "wrong-signature" | "wrong-secret";

/** Shake forges the events that a test gets anyway. */
const inShake = leftOut("a forged event takes the place of a genuine one");

/** What is wrong with each forgery. */
const WRONG: Readonly<Record<Forgery, string>> = {
  unsigned: "no signature",
  "wrong-signature": "a signature that no secret made",
  "wrong-secret": "the signature of another merchant",
};

export const forgeries: readonly Trouble[] = [
  {
    ...forgedEvent("forged event", "wrong-signature"),
    order: "likely",
    sentence: (_point, who) => `Before ${who} pays, somebody sends a forged event that says it is paid.`,
  },
  {
    ...forgedEvent("forged event without a signature", "unsigned"),
    sentence: (_point, who) => `Before ${who} pays, somebody sends an unsigned event that says it is paid.`,
  },
  {
    ...forgedEvent("event of another merchant", "wrong-secret"),
    sentence: (_point, who) => `Before ${who} pays, an event of another merchant arrives and says it is paid.`,
  },
  {
    name: "typed way back",
    at: "act",
    inShake: onlyWithCustomers,
    needsOpenPayment: true,
    isAttack: true,
    onAct: { beforePages: typeTheWayBack },
    sentence: (_point, who) => `Before paying, ${who} opens the return URL with the status of a success.`,
  },
];

function forgedEvent(name: string, kind: Forgery) {
  return {
    name,
    at: "act",
    order: "variant",
    inShake,
    needsOpenPayment: true,
    isAttack: true,
    onAct: { beforePages: (acting: Acting) => forgeEvents(acting, kind) },
  } as const;
}

/** Sends the merchant, for each open payment of a customer, an event which says that it succeeded. */
async function forgeEvents({ run, step }: Acting, kind: Forgery): Promise<void> {
  const { sim, seen, course, time } = run;
  await course.rest();
  for (const payment of openPayments(run, step.id)) {
    await run.readBooks("unforged");
    const event = await course.alone(promisedEvent(sim, payment).catch(() => undefined));
    if (event === undefined) continue;
    const request = forgedRequest(sim, event, { kind });
    const delivered = run.exchange({ kind: "event" }, request).catch(() => undefined);
    const isAnswered = await course.until(delivered, time.now);
    seen.forgeries.push({ event, wrong: WRONG[kind], answered: isAnswered ? (await delivered)?.status : undefined });
    await run.readBooks("forged");
  }
}

/** Opens the return URL of each open payment of a customer, with the status of a success in its query. */
async function typeTheWayBack({ run, step }: Acting): Promise<void> {
  const { course, time } = run;
  await course.rest();
  for (const payment of openPayments(run, step.id)) {
    await run.readBooks("unforged");
    const { kind, id: paymentId, externalId, returnUrl } = payment;
    if (returnUrl === undefined) continue;
    const { assumptions } = run.sim.internals.parts;
    const template = assumptions.value(kind === "checkout" ? "checkout.return" : "intent.return");
    const values = { sessionToken: paymentId, intentId: paymentId, externalId, status: paidStatus(payment) };
    const url = new URL(returnUrl);
    for (const [name, value] of Object.entries(filledQuery(template, values))) url.searchParams.set(name, value);
    const visited = run.exchange({ kind: "act", id: step.id }, new Request(url)).catch(() => undefined);
    await course.until(visited, time.now);
    await run.readBooks("forged");
  }
}
