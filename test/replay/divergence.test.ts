import { CentavoError, replay, type Recording } from "centavo";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";

/** A run with two deliveries and two payments, whose recording the test may change. */
async function recorded(): Promise<Recording> {
  const merchant = await Merchant.open({ assumptions: { "auth.token-lifetime": "2 days" } });
  const { sim } = merchant;
  await merchant.pay();
  await sim.clock.settle();
  await sim.clock.advance("1 day");
  await merchant.createIntent();
  return sim.recording();
}

async function refusal(recording: unknown): Promise<{ readonly code: string; readonly message: string }> {
  const error: unknown = await replay(recording as Recording).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof CentavoError) return error;
  throw new Error(`There was no refusal: ${String(error)}`);
}

describe("a replay that goes another way names the input at which it does", () => {
  test.for<[what: string, change: (recording: Recording) => void, message: string]>([
    [
      "a request that is answered otherwise",
      ({ inputs }) => {
        if (inputs[1]?.kind === "request") inputs[1].body = '{"amount":-1}';
      },
      "inputs[1], POST /api/payment-intent at 2026-01-01T00:00:00.000Z: it answers 400, and answered 200",
    ],
    ["a request that is not there", ({ inputs }) => void inputs.splice(2, 1), "inputs[2], answer of evt_"],
    ["a delivery whose answer is not there", ({ inputs }) => void inputs.splice(3, 1), "inputs[3], answer of evt_"],
    [
      "an answer to a webhook that was never sent",
      ({ inputs }) => void inputs.splice(5, 0, { ...inputs[4], timers: 3 } as Recording["inputs"][number]),
      "inputs[5], answer of evt_",
    ],
    [
      "more timers than there are",
      ({ end }) => {
        end.timers = 7;
      },
      "after the last of 6 inputs: 7 timers had run by 2026-01-02T00:00:00.000Z when it was recorded, and 3 in the replay; none is left",
    ],
    [
      "an act that is refused",
      ({ inputs }) => {
        const { at, timers } = inputs.at(-1) ?? { at: 0, timers: 0 };
        inputs.push({ kind: "redeliver", at, timers, event: "evt_unknown" });
      },
      'inputs[6], redeliver of evt_unknown at 2026-01-02T00:00:00.000Z: webhooks.redeliver("evt_unknown"): there is no such event',
    ],
    [
      "a digest alone",
      (recording) => {
        recording.digest = "0".repeat(64);
      },
      `: 6 inputs matched, but the journal's digest is`,
    ],
  ])("%s", async ([, change, message]) => {
    const recording = await recorded();
    change(recording);
    const { code, message: told } = await refusal(recording);
    expect(told).toContain(message);
    expect(code).toBe("REPLAY_DIVERGED");
    expect(told).toContain("another version of Centavo");
  });

  test("in the singular, if there is one input", async () => {
    const merchant = await Merchant.open();
    const recording = merchant.sim.recording();
    expect(recording.inputs).toHaveLength(1);
    const { message: another } = await refusal({ ...recording, digest: "0".repeat(64) });
    expect(another).toContain(": 1 input matched, but the journal's digest is");
    const { message: longer } = await refusal({ ...recording, end: { ...recording.end, timers: 7 } });
    expect(longer).toContain(": after the last of 1 input: ");
  });

  test("in whole sentences, even if the cause is several sentences long", async () => {
    const recording = await recorded();
    const { at = 0, timers = 0 } = recording.inputs[0] ?? {};
    recording.inputs.unshift({ kind: "fault.add", at, timers, fault: { kind: "clock.skewed" } });
    const { message } = await refusal(recording);
    expect(message).toMatch(
      /^replay: the run differs from the recorded one: inputs\[0\], fault\.add at \S+: faults\.add: kind is "clock\.skewed"; the nearest is "clock\.skew"\. Known are [^.](?!.*\.\.).*\. Likely causes: /,
    );
  });

  test("and shows no secret of its address", async () => {
    const recording = await recorded();
    const [first] = recording.inputs;
    if (first?.kind === "request") {
      first.method = "PUT";
      first.target = "/oauth?client_secret=csec_fake_V5jza5yrDsZJetwQ8YrNedsZjbfIMPLU";
    }
    const { message } = await refusal(recording);
    expect(message).toContain("PUT /oauth?client_secret=");
    expect(message).not.toContain("V5jza5yrDsZJetwQ8YrNedsZjbfIMPLU");
  });
});

describe("anything but a recording is refused", () => {
  test.for<[what: string, given: (recording: Recording) => unknown, message: string]>([
    ["a text", (recording) => JSON.stringify(recording), "replay: this is a string; JSON.parse it first."],
    [
      "nothing",
      () => undefined,
      "replay: this is not a recording that sim.recording() of this version of Centavo returned.",
    ],
    ["another version", (recording) => ({ ...recording, version: 2 }), "returned; its version is 2."],
    ["no inputs", ({ version, options }) => ({ version, options }), "replay: inputs is missing."],
    ["an unknown field", (recording) => ({ ...recording, colour: "blue" }), "colour"],
    [
      "an unknown kind of input",
      (recording) => ({ ...recording, inputs: [{ kind: "rain", at: 0, timers: 0 }] }),
      'replay: inputs[0].kind is "rain": it takes one of ',
    ],
    [
      "a time in words",
      (recording) => ({ ...recording, inputs: [{ ...recording.inputs[0], at: "noon" }] }),
      'replay: inputs[0].at is "noon": it takes a number.',
    ],
    [
      "a note of a kind that comes from inside the world alone",
      (recording) => ({ ...recording, inputs: [{ kind: "note", at: 0, timers: 0, entry: "fact", details: {} }] }),
      'replay: inputs[0].entry is "fact". Known are customer, hostile, warning, failure.',
    ],
    [
      "a note without its details",
      (recording) => ({
        ...recording,
        inputs: [{ kind: "note", at: 0, timers: 0, entry: "customer", details: { at: "/pay/x" } }],
      }),
      "replay: inputs[0].details.act is missing.",
    ],
    [
      "inputs in another order",
      (recording) => ({ ...recording, inputs: recording.inputs.toReversed() }),
      "replay: inputs[1] is earlier than inputs[0]; inputs must be in chronological order.",
    ],
    [
      "an end before the last input",
      (recording) => ({ ...recording, end: { at: 0, timers: 0 } }),
      "replay: end is earlier than inputs[5]",
    ],
    [
      "a start that is not a world",
      (recording) => ({ ...recording, start: {} }),
      "replay: start is not a valid snapshot: ",
    ],
  ])("%s", async ([, given, message]) => {
    const { code, message: told } = await refusal(given(await recorded()));
    expect(told).toContain(message);
    expect(code).toBe("INVALID_RECORDING");
  });

  test("and options that make no simulator are refused as createSimulator refuses them", async () => {
    const recording = await recorded();
    const options = { ...recording.options, assumptions: { "checkout.lifetme": "1 day" } };
    expect(await refusal({ ...recording, options })).toMatchObject({ code: "INVALID_ASSUMPTION" });
  });
});
