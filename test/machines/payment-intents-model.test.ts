import { paymentIntentMachine } from "centavo/machines";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { BareMachine, movesOf } from "./bare-machine.ts";
import type { Taken } from "./bare-machine.ts";
import { journaledMoves } from "./journaled.ts";

const START = Date.parse("2026-01-01T00:00:00Z");
const HELD_UP = 5000;
const method = { id: "pm", kind: "card", behaviour: "pm" };
const challenge = { id: "ach", nextAction: "redirect", expiresAt: START + 3_600_000 };
const approved = { approved: true };
const declined = { approved: false, declineCode: "generic_decline" };

const terms = { at: START, purpose: "payment_intent", amount: 10_000, processingTime: 2000 };

// A confirmation is attach_method and confirm in one call, so no other input comes between the two.
const confirmations = [undefined, challenge].flatMap((given) =>
  [approved, declined].flatMap((outcome) =>
    [undefined, HELD_UP, "for good"].map((holdUp) => ({ type: "confirm", outcome, challenge: given, holdUp })),
  ),
);
const decidedAtOnce = { type: "confirm", outcome: declined, challenge: undefined, holdUp: 0 };
const anywhere = [
  { type: "processor_unavailable" },
  { type: "attach_method", method, contact: undefined },
  { type: "attach_method", method, contact: { name: "Ana" } },
  { type: "authenticate", passed: true },
  { type: "authenticate", passed: false },
  { type: "decide" },
  { type: "challenge_expired" },
  { type: "cancel" },
];

const machine = new BareMachine(paymentIntentMachine);
const paths = machine.paths(terms, Number.POSITIVE_INFINITY, ({ snapshot }) => {
  if (snapshot.value === "requires_confirmation") return [...confirmations, decidedAtOnce];
  return anywhere.filter(({ type }) => snapshot.value !== "requires_action" || type !== "challenge_expired");
});

test("the bare machine has finitely many paths, through every state", () => {
  const states = new Set(paths.flat().flatMap(({ from, to }) => [from, to]));
  expect(states).toEqual(new Set(Object.keys(paymentIntentMachine.states)));
  expect(paths.length).toBeGreaterThan(100);
});

test("every path of the bare machine, whole, is a history of the service", async () => {
  for (const path of paths) {
    const { sim, id } = await lived(path);
    expect(journaledMoves(sim, "payment_intent", id)).toEqual(movesOf(path));
    await sim.close();
  }
});

/** Runs a path through the front door: the merchant's calls, the customer, the back office and the clock. */
async function lived(path: readonly Taken[]) {
  const merchant = await Merchant.open({ assumptions: { "intent.processing-time": "2 seconds" } });
  const { sim } = merchant;
  const { id } = await merchant.createIntent({ returnUrl: "https://shop.example/thanks" });
  let redirectUrl = "";
  for (const [index, { given, byTimer }] of path.entries()) {
    if (byTimer) await sim.clock.advanceTo(new Date(given.at).toISOString());
    else if (given.type === "processor_unavailable") await merchant.confirm(id, "pm_card_processor_unavailable");
    else if (given.type === "cancel") sim.intents.cancel(id);
    else if (given.type === "authenticate")
      await sim.customer[given["passed"] === true ? "authenticate" : "failAuthentication"](redirectUrl);
    else if (given.type === "attach_method") {
      const {
        outcome,
        challenge: asked,
        holdUp,
      } = (path[index + 1] as Taken).given as unknown as (typeof confirmations)[number];
      if (typeof holdUp === "number" && holdUp > 0)
        sim.faults.add({ kind: "processor.late", delay: { milliseconds: holdUp } });
      if (holdUp === "for good") sim.faults.add({ kind: "processor.stuck" });
      const known = asked === undefined ? "pm_card_approved" : "pm_card_challenge";
      if (outcome === declined)
        sim.faults.add({ kind: "processor.decline", code: "generic_decline", synchronous: holdUp === 0 });
      const contact = given["contact"] === undefined ? {} : { contact: given["contact"] };
      const { body } = await merchant.confirm(id, { paymentMethodId: known, ...contact });
      redirectUrl = body.data?.redirectUrl ?? body.redirectUrl ?? "";
    }
  }
  return { sim, id };
}
