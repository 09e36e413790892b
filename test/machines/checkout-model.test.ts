import { checkoutMachine } from "centavo/machines";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { BareMachine, movesOf } from "./bare-machine.ts";
import type { Taken } from "./bare-machine.ts";
import { journaledMoves } from "./journaled.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const DAY = 86_400_000;
const SECOND = 1000;

const inputs = [
  { type: "process", challengeOpen: false },
  { type: "process", challengeOpen: true },
  { type: "challenge_closed" },
  { type: "complete" },
  { type: "decline", nextIntentId: undefined },
  { type: "decline", nextIntentId: "pi_next" },
  { type: "cancel" },
];
const machine = new BareMachine(checkoutMachine);
const pathsWith = (triesLeft: number): Taken[][] =>
  machine.paths(
    { at: START, expiresAt: START + DAY, triesLeft } as { at: number },
    Number.POSITIVE_INFINITY,
    () => inputs,
  );

test("the bare machine has finitely many paths, through every state", () => {
  const states = new Set(pathsWith(0).flatMap((path) => path.flatMap(({ from, to }) => [from, to])));
  expect(states).toEqual(new Set(Object.keys(checkoutMachine.states)));
  expect(pathsWith(2).length).toBeGreaterThan(50);
});

test.for([0, 1, 2])(
  "with %i further tries, every path of the bare machine is a history of the service",
  async (tries) => {
    for (const path of pathsWith(tries)) {
      const { sim, id } = await lived(path, tries);
      expect(journaledMoves(sim, "checkout", id)).toEqual(movesOf(path));
      await sim.close();
    }
  },
);

/** Runs a path through the front door. The method and the faults plan the outcome of an attempt when it begins. */
async function lived(path: readonly Taken[], tries: number) {
  const merchant = await Merchant.open({
    assumptions: {
      "checkout.retry": tries,
      "checkout.lifetime": "24 hours",
      "intent.authentication": { card: "7 days", gcash: "7 days", grab_pay: "7 days" },
    },
  });
  const { sim } = merchant;
  const { id, sessionToken, checkoutUrl } = await merchant.createCheckout();
  let redirectUrl = "";
  for (const [index, { input, given, byTimer }] of path.entries()) {
    if (byTimer) await sim.clock.advanceTo(new Date(given.at).toISOString());
    else if (input === "cancel") await sim.customer.cancel(checkoutUrl);
    else if (input === "challenge_closed") await sim.customer.authenticate(redirectUrl);
    else if (input === "process") {
      const ahead = path.slice(index + 1);
      const end = ahead.findIndex((later) => later.input === "complete" || later.input === "decline");
      const meetsDeadline = ahead.slice(0, Math.max(0, end)).some((later) => later.input === "expire");
      const delay = meetsDeadline ? START + DAY + SECOND - Date.parse(sim.clock.now()) : SECOND;
      sim.faults.clear();
      sim.faults.add({ kind: "processor.late", delay: { milliseconds: delay } });
      if (ahead[end]?.input === "decline") sim.faults.add({ kind: "processor.decline", code: "generic_decline" });
      const method = given["challengeOpen"] === true ? "pm_card_challenge" : "pm_card_approved";
      const { body } = await merchant.processCheckout(sessionToken, method);
      redirectUrl = body.data?.redirectUrl ?? body.redirectUrl ?? "";
    } else {
      // The payment ends by itself, as planned when it began.
      const known = journaledMoves(sim, "checkout", id).length;
      await sim.clock.advanceUntil(() => journaledMoves(sim, "checkout", id).length > known);
    }
  }
  return { sim, id };
}
