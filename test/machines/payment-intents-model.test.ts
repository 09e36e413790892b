import type { Simulator } from "centavo";
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

const confirmations = [undefined, challenge].flatMap((given) =>
  [approved, declined].flatMap((outcome) =>
    [undefined, HELD_UP, "for good"].map((holdUp) => ({ type: "confirm", outcome, challenge: given, holdUp })),
  ),
);
const decidedAtOnce = { type: "confirm", outcome: declined, challenge: undefined, holdUp: 0 };
const attachments = [
  { type: "attach_method", method, contact: undefined },
  { type: "attach_method", method, contact: { name: "Ana" } },
];
const anywhere = [
  ...attachments,
  { type: "authenticate", passed: true },
  { type: "authenticate", passed: false },
  { type: "decide" },
  { type: "challenge_expired" },
  { type: "cancel" },
];

const machine = new BareMachine(paymentIntentMachine);
const paths = machine.paths(terms, Number.POSITIVE_INFINITY, ({ snapshot }, path) => {
  if (snapshot.value === "requires_confirmation") {
    // The test method whose processor is down has no challenge of its own.
    const isDown = path.at(-1)?.input === "processor_unavailable";
    const confirmed = [...confirmations, decidedAtOnce].filter(
      ({ challenge: asked }) => !isDown || asked === undefined,
    );
    // An intent may be confirmed again as often as the processor is down; once more will do.
    const isRepeated = path.filter(({ input }) => input === "attach_method").length > 1;
    return [...confirmed, { type: "processor_unavailable" }, { type: "cancel" }, ...(isRepeated ? [] : attachments)];
  }
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
    else if (given.type === "cancel") sim.intents.cancel(id);
    else if (given.type === "authenticate")
      await sim.customer[given["passed"] === true ? "authenticate" : "failAuthentication"](redirectUrl);
    else if (given.type === "attach_method" || (given.type === "confirm" && !isOneCall(path, index))) {
      const { body } = await merchant.confirm(id, bodyOf(path, index, sim));
      redirectUrl = body.data?.redirectUrl ?? body.redirectUrl ?? "";
    }
  }
  return { sim, id };
}

/** Whether a confirmation came with the call that attached its method. */
function isOneCall(path: readonly Taken[], index: number): boolean {
  return path[index - 1]?.input === "attach_method";
}

/** Plans what the processor does with the call that begins here, and returns its body. */
function bodyOf(path: readonly Taken[], index: number, sim: Simulator): object {
  const { given } = path[index] as Taken;
  const contact = given["contact"] === undefined ? {} : { contact: given["contact"] };
  const answer = given.type === "confirm" ? given : path[index + 1]?.given;
  if (answer?.type === "processor_unavailable") return { paymentMethodId: "pm_card_processor_unavailable", ...contact };
  if (answer?.type !== "confirm") sim.faults.add({ kind: "processor.unavailable", times: 1 });
  const { outcome, challenge: asked, holdUp } = (answer ?? {}) as Partial<(typeof confirmations)[number]>;
  if (typeof holdUp === "number" && holdUp > 0)
    sim.faults.add({ kind: "processor.late", delay: { milliseconds: holdUp } });
  if (holdUp === "for good") sim.faults.add({ kind: "processor.stuck" });
  if (outcome === declined)
    sim.faults.add({ kind: "processor.decline", code: "generic_decline", synchronous: holdUp === 0 });
  if (given.type === "confirm") return {};
  return { paymentMethodId: asked === undefined ? "pm_card_approved" : "pm_card_challenge", ...contact };
}
