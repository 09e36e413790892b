import type { Simulator } from "centavo";
import { createSimulator } from "centavo";
import { createClient } from "centavo/client";
import { simulated } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { beforeAll, expect, test } from "vitest";

async function pay({ baseUrl, authUrl, fetch, credentials }: Simulator): Promise<void> {
  const client = createClient({ baseUrl, authUrl, fetch, ...credentials });
  const { status } = await client.paymentIntents.create({ amount: 49_900 });
  expect(status).toBe("pending");
}

/** Tests that get their simulator in every way. */
export function pays(): void {
  let shared: Simulator;
  beforeAll(() => void (shared = createSimulator()));
  withSimulator(test)("pays with a fixture", ({ sim }) => pay(sim));
  test(
    "pays in a simulated test",
    simulated(({ sim }) => pay(sim)),
  );
  test("pays with a simulator of its own", () => pay(createSimulator()));
  test("pays with a simulator of all tests", () => pay(shared));
}
