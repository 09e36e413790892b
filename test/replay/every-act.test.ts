import { createSimulator, replay, type RecordedInput, type Recording, type Simulator } from "centavo";
import { describe, expect, expectTypeOf, test } from "vitest";
import { paymentService } from "../../src/simulator/payment-service.ts";
import { Merchant } from "../merchant.ts";
import { expectReplayable } from "./replayable.ts";

const { acts } = paymentService;
type Kind = keyof typeof acts;

const kinds = Object.keys(acts) as Kind[];
const CARD = { cardNumber: "4343434343434345", expMonth: "12", expYear: "30", cvc: "123" };

/** How a test does each act; an act that is missing here does not compile. */
const performed: Readonly<Record<Kind, (sim: Simulator, merchant: Merchant) => Promise<unknown>>> = {
  cancel: async (sim, merchant) => sim.intents.cancel((await merchant.createIntent()).id),
  mint: async (sim) => sim.paymentMethods.create(CARD),
  async redeliver(sim, merchant) {
    await merchant.pay();
    await sim.clock.settle();
    sim.webhooks.redeliver(sim.webhooks.events()[0]?.id ?? "");
    await sim.clock.settle();
  },
  "fault.add": async (sim) => sim.faults.add({ kind: "response.lost", times: 1 }),
  async "fault.remove"(sim) {
    sim.faults.add({ kind: "response.lost" }).remove();
    sim.faults.remove(sim.faults.add({ kind: "request.hang" }).id);
  },
  async "fault.clear"(sim) {
    sim.faults.add({ kind: "response.lost" });
    sim.faults.clear();
  },
  async "keep-tokens"(sim, merchant) {
    const earlier = createSimulator({ seed: "earlier", credentials: merchant.credentials });
    const token = (await Merchant.of(earlier)).authorization;
    sim.keepTokens(earlier.internals.parts.auth.issuedTokens());
    expect((await sim.fetch("/api/transactions", { headers: { authorization: token } })).status).toBe(200);
  },
  async "broke-off"(sim) {
    const hang = sim.faults.add({ kind: "request.hang" });
    const call = sim.fetch("/api/plans");
    await hang.struck();
    await sim.close();
    await expect(call).rejects.toThrow("fetch failed");
  },
};

/** How each act that may be refused is. */
const refused: Readonly<
  Record<Exclude<Kind, "fault.clear" | "keep-tokens" | "broke-off">, (sim: Simulator) => unknown>
> = {
  cancel: (sim) => sim.intents.cancel("pi_unknown"),
  mint: (sim) => sim.paymentMethods.create({ ...CARD, cardNumber: "4343434343434344" }),
  redeliver: (sim) => sim.webhooks.redeliver("evt_unknown"),
  "fault.add": (sim) => sim.faults.add({ kind: "response.lost", times: -1 }),
  "fault.remove": (sim) => sim.faults.remove("fault_1"),
};

describe.for(kinds)("the act %s", (kind) => {
  test("is done by a simulator, is in its recording, and is replayed", async () => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    await performed[kind](sim, merchant);
    expect(sim.recording().inputs.map((input) => input.kind)).toContain(kind);
    const replayed = await expectReplayable(sim);
    expect(replayed.snapshot()).toEqual(sim.snapshot());
  });

  test("has a schema in recordings, which knows its fields", async () => {
    const recording = createSimulator().recording();
    const inputs = [{ kind, at: recording.end.at, timers: 0, surplus: 1 }] as unknown as Recording["inputs"];
    const reading = replay({ ...recording, inputs });
    await expect(reading).rejects.toThrow(expect.objectContaining({ code: "INVALID_RECORDING" }));
    await expect(reading).rejects.not.toThrow("inputs[0].kind");
  });
});

test.for(Object.entries(refused))("the act %s leaves no trace when it is refused", async ([, refuse]) => {
  const { sim } = await Merchant.open();
  const { inputs } = sim.recording();
  expect(() => refuse(sim)).toThrow();
  expect(sim.recording().inputs).toEqual(inputs);
});

test("what a test gives to an act may change afterwards, and the recording does not", async () => {
  const sim = createSimulator();
  const fault = { kind: "request.status", status: 503, times: 1 } as const;
  const given: { -readonly [Field in keyof typeof fault]: (typeof fault)[Field] | number | string } = { ...fault };
  sim.faults.add(given as typeof fault);
  given.status = 500;
  expect(sim.recording().inputs).toMatchObject([{ kind: "fault.add", fault }]);
});

test("every input of a recording has one of these kinds", () => {
  expectTypeOf<RecordedInput["kind"]>().toEqualTypeOf<Kind | "request" | "answer" | "obstacle" | "resumed" | "note">();
  expect(kinds.toSorted()).toEqual(
    ["broke-off", "cancel", "fault.add", "fault.clear", "fault.remove", "keep-tokens", "mint", "redeliver"].toSorted(),
  );
});
