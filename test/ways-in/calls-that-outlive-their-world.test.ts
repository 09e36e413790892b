import type { Simulator } from "centavo";
import { describe, expect, test } from "vitest";
import type { Service } from "../../src/kit/http/callable-service.ts";
import { Merchant } from "../merchant.ts";
import { ways } from "./ways.ts";

const ends: readonly (readonly [call: string, end: (sim: Simulator) => unknown])[] = [
  ["sim.reset()", (sim) => sim.reset()],
  ["sim.restore()", (sim) => sim.restore(sim.snapshot())],
  ["sim.close()", (sim) => sim.close()],
];

/** The simulator, whose world ends just when a call has begun. */
function endingWith(sim: Simulator, end: () => unknown): Service {
  const ended = <Begun>(begun: Begun): Begun => {
    void end();
    return begun;
  };
  return {
    baseUrl: sim.baseUrl,
    authUrl: sim.authUrl,
    fetch: (...call) => ended(sim.fetch(...call)),
    beginCall: () => ended(sim.beginCall()),
  };
}

function warningsOf({ journal }: Simulator): unknown[] {
  return journal.entries.filter(({ kind }) => kind === "warning").map(({ volatile }) => volatile?.["message"]);
}

/** What an error was caused by in the end. */
function rootOf(thrown: unknown): unknown {
  return thrown instanceof Error && thrown.cause !== undefined ? rootOf(thrown.cause) : thrown;
}

describe.each(ways)("through $name", ({ name, open }) => {
  test.each(ends)("a call that began before %s is refused by the world that follows", async (endedBy, end) => {
    const merchant = await Merchant.open();
    const { sim } = merchant;
    const { id } = await merchant.createIntent();
    const digest = endedBy === "sim.reset()" ? undefined : sim.journal.digest();
    await using way = await open(endingWith(sim, () => end(sim)));
    const failure: unknown = await way
      .fetch(`${way.url}/api/payment-intent/${id}/confirm`, {
        method: "POST",
        headers: { authorization: merchant.authorization, "content-type": "application/json" },
        body: JSON.stringify({ paymentMethodId: "pm_card_approved" }),
      })
      .catch((error: unknown) => error);

    const message = expect.stringContaining(`POST /api/payment-intent/${id}/confirm began before ${endedBy}`) as string;
    expect(failure).toBeInstanceOf(TypeError);
    if (name !== "a socket")
      expect(rootOf(failure)).toMatchObject({ name: "CentavoError", code: "WORLD_ENDED", message });
    expect(warningsOf(sim)).toEqual([message]);
    expect(String(sim.journal)).toContain(`confirm began before ${endedBy}, which ended its world`);
    expect(sim.intents.list().map(({ status }) => status)).toEqual(
      endedBy === "sim.reset()" ? [] : ["requires_payment_method"],
    );
    if (digest !== undefined) expect(sim.journal.digest()).toBe(digest);
  });
});

test("a call after close() is answered as before", async () => {
  const merchant = await Merchant.open();
  await merchant.sim.close();
  const { id } = await merchant.createIntent();
  expect((await merchant.confirm(id)).status).toBe(200);
});
