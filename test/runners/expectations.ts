import { simulated } from "centavo/testing";
import { expect } from "vitest";
import type { RunnerRun } from "./runner.ts";

const text = (part: string): string => expect.stringContaining(part) as string;

const explained = text(
  'network: "intercept" cannot load the interceptors here, because they are ES modules. Jest loads ES modules when Node runs with ' +
    'NODE_OPTIONS=--experimental-vm-modules. Without it, leave the option out and hand network.fetch to the code under test, or use network: "server"',
);

/** What has to become of the tests in `shop/tests.cjs`, with and without interception. */
export function outcomesWith(kind: "intercept" | "fetch"): Record<string, string> {
  return {
    "an order is paid": "passed",
    "another test has other ids": "passed",
    "Date follows the virtual clock": "passed",
    "a loopback server answers": "passed",
    "interception is asked for": kind === "intercept" ? "passed" : explained,
    "fails with its own error": text("the parcel is lost"),
    "fails after an interception": text("no kind at all"),
    "fails because it forgot network": text(
      kind === "intercept"
        ? "in the test's parameter, or call intercept(sim) before"
        : "in the test's parameter, and run Node with NODE_OPTIONS=--experimental-vm-modules, or hand network.fetch to your app",
    ),
    "fails because it swallowed an error": text(
      kind === "intercept" ? "GET https://api.pay.exmaple/oauth was refused" : "- the listener broke",
    ),
    "may swallow an error": "passed",
    "everything is closed": "passed",
  };
}

/** What the tests in `shop/tests.cjs` have to note: the same ids in every run and every runner, another for each test. */
export async function notesWith(kind: "intercept" | "fetch"): Promise<Record<string, string>> {
  const ids = { "an order is paid": await firstPaidIdOf("an order is paid"), another: await firstPaidIdOf("another") };
  expect(ids.another).not.toBe(ids["an order is paid"]);
  return { kind, ...ids };
}

const firstIds = new Map<string, Promise<string>>();

/** The id of the first payment of the first test with this name. Later tests of the name have ids of their own. */
function firstPaidIdOf(name: string): Promise<string> {
  const id = firstIds.get(name) ?? paidIdOf(name);
  firstIds.set(name, id);
  return id;
}

async function paidIdOf(name: string): Promise<string> {
  let id = "";
  await simulated({ name }, async ({ sim, client, customer }) => {
    const { checkoutUrl } = await client.checkout.create({
      externalId: "order-1",
      amount: 10000,
      description: "Shoes",
      webhookUrl: "https://shop.example/hooks",
      returnUrl: "https://shop.example/thanks",
      contact: { name: "Ana Cruz", email: "ana@customer.example" },
    });
    sim.connect("https://shop.example", () => new Response());
    await customer.pay(checkoutUrl, "pm_card_approved");
    id = sim.intents.last()?.id ?? "";
  })();
  return id;
}

/** A runner that ran into failing tests says so by its exit code, and ends by itself, with nothing left open. */
export function expectCleanEnd({ code, output }: RunnerRun): void {
  expect(code, output).toBeGreaterThan(0);
  expect(output).not.toMatch(/did not exit|failed to exit|open handle|force exit|hanging|close timed out/i);
}
