import { createSimulator } from "centavo";
import { fixtures } from "centavo/fixtures";
import { describe, expect, test } from "vitest";
import type { AnyStateMachine } from "xstate";
import { checkoutStatus } from "../../src/service/schemas/checkout.ts";
import { subscriptionStatus } from "../../src/service/schemas/subscriptions.ts";
import { Merchant } from "../merchant.ts";
import { declaredLifecycles, lifecycles } from "./lifecycles.ts";

test("every lifecycle of the resources has its table, and no other has", () => {
  const declared = declaredLifecycles.map(({ lifecycle }) => lifecycle.name);
  expect(lifecycles.map(({ lifecycle }) => lifecycle).toSorted()).toEqual(declared.toSorted());
});

describe.for(lifecycles)("the lifecycle of: $resource ($part)", ({ lifecycle: name, moves, statuses }) => {
  const declared = declaredLifecycles.find(({ lifecycle }) => lifecycle.name === name);
  if (declared === undefined) throw new Error(`No resource declares the lifecycle ${name}.`);
  const { statusOf: wordOf, status, lifecycle } = declared;
  const { machine } = lifecycle;

  test("has the moves of the document and of named assumptions, no more and no less", () => {
    expect([...movesOf(machine, wordOf)].toSorted()).toEqual(moves.map(({ from, to }) => `${from} → ${to}`).toSorted());
  });

  test.for(statuses)("has shown the status $word", async ({ word, shownOnly }) => {
    const { answered, afterOutage } = await shown();
    expect(answered[name]?.has(word)).toBe(shownOnly === undefined);
    if (shownOnly !== undefined) expect(afterOutage).toBe(word);
  });

  test("has no other status on the wire", () => {
    const words = statuses.filter(({ schema }) => schema === status).map(({ word }) => word);
    expect(new Set<unknown>(status.options)).toEqual(new Set<unknown>(words));
    expect(Object.keys(wordOf).toSorted()).toEqual(Object.keys(machine.states).toSorted());
    expect([...new Set(Object.values(wordOf))].toSorted()).toEqual(words.toSorted());
  });
});

/** Every move that changes the status on the wire. */
function movesOf(machine: AnyStateMachine, wordOf: Readonly<Record<string, string>>): Set<string> {
  const moves = Object.values(machine.states).flatMap((state) =>
    [...state.transitions.values()].flat().flatMap(({ target = [] }) =>
      target.flatMap((next) => {
        const [from, to] = [wordOf[state.key], wordOf[next.key]];
        return from === to ? [] : [`${from} → ${to}`];
      }),
    ),
  );
  return new Set(moves);
}

let known: ReturnType<typeof see> | undefined;

/** The statuses that the service has shown by now, of resources that were brought to each of them. */
function shown(): ReturnType<typeof see> {
  return (known ??= see());
}

async function see() {
  const answered: Record<string, Set<string>> = {
    payment_intent: new Set(),
    checkout: new Set(),
    subscription: new Set(),
    invoice: new Set(),
  };
  const world = async () => {
    const sim = createSimulator();
    return { make: fixtures(sim), merchant: await Merchant.of(sim) };
  };
  const intentStatuses = [
    "requires_payment_method",
    "requires_action",
    "processing",
    "succeeded",
    "failed",
    "canceled",
  ];
  for (const status of intentStatuses as readonly "failed"[]) {
    const { make, merchant } = await world();
    const { id } = await make.intent({ status });
    answered["payment_intent"]?.add((await merchant.createIntent()).status);
    answered["payment_intent"]?.add((await merchant.intentStatus(id)).status);
  }
  for (const status of checkoutStatus.options) {
    const { make, merchant } = await world();
    const { sessionToken } = await make.checkout({ status });
    const { body } = await merchant.checkoutSession(sessionToken);
    answered["checkout"]?.add((body as unknown as { data: { status: string } }).data.status);
  }
  for (const status of subscriptionStatus.options) {
    const { make, merchant } = await world();
    const { id } = await make.subscription({ status });
    const read = await merchant.readSubscription(id);
    answered["subscription"]?.add(read.status);
    answered["invoice"]?.add(read.latestInvoice.status);
  }
  const { merchant } = await world();
  const { id } = await merchant.createIntent();
  await merchant.confirm(id, "pm_card_processor_unavailable");
  return { answered, afterOutage: (await merchant.intentStatus(id)).status };
}
