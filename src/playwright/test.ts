import { test as base } from "@playwright/test";
import type {
  Fixtures,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
  TestType,
} from "@playwright/test";
import type { RemoteSimulator } from "../remote/remote-simulator.ts";
import type { WorldOptions } from "../server/hosted-worlds.ts";
import type { HostingServer } from "../server/serve.ts";
import { wantsInspector } from "../testing/wants-inspector.ts";
import { attachRun } from "./attachments.ts";
import { ChallengePage } from "./challenge-page.ts";
import { CheckoutPage } from "./checkout-page.ts";
import { payUrlOf } from "./pay-url.ts";
import type { PayUrl } from "./pay-url.ts";
import { shakenWorldOf } from "./shaken-world.ts";
import { withWorkerServer } from "./worker-server.ts";
import type { CentavoWorkerFixtures, CentavoWorkerOptions } from "./worker-server.ts";
import { openWorld, seedOf, worldNameOf } from "./world.ts";
import type { PaymentService, World } from "./world.ts";

/** The options of a test, for `test.use` and for `use` of the configuration. */
export interface CentavoOptions {
  /**
   * The options of the world: `seed`, `now`, `clock`, `assumptions`, `credentials`, `webhookUrl` and `faults`, as `createSimulator` and
   * `sim.faults.add` take them. Its clock is moved by the test alone unless `clock` says otherwise. `test.use` replaces all of them.
   */
  readonly simulator: WorldOptions;
  /**
   * The name of the world, which stands in its address. By default each test has its own. With a fixed name and `simulatorPort` the
   * address is the same in every test, for a shop that is started once.
   */
  readonly simulatorWorld: string | undefined;
}

/** What a test has of Centavo. */
export interface CentavoFixtures {
  /** The world of this test. Each function returns a promise, and each property is one. */
  readonly sim: RemoteSimulator;
  /** The base URL and the credentials with which the shop reaches the world of this test. */
  readonly paymentService: PaymentService;
  /** Returns the address at which the customer pays, for what the shop shows no page of. */
  readonly payUrl: PayUrl;
  /** The hosted page, as the customer uses it. */
  readonly checkoutPage: CheckoutPage;
  /** The page of the bank or the wallet, as the customer uses it. */
  readonly challengePage: ChallengePage;
}

interface InnerFixtures {
  readonly centavoWorld: World;
}

/** Playwright's `test` with the fixtures of Centavo. */
export type CentavoTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & CentavoOptions & CentavoFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & CentavoWorkerOptions & CentavoWorkerFixtures
>;

/** The report of a test may take longer than a test that timed out had, in milliseconds. */
const TIME_OF_ITS_OWN = 60_000;

const fixtures: Fixtures<
  CentavoOptions & CentavoFixtures & InnerFixtures,
  CentavoWorkerOptions & CentavoWorkerFixtures,
  PlaywrightTestArgs & PlaywrightTestOptions,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = {
  simulator: [{}, { option: true }],
  simulatorWorld: [undefined, { option: true }],
  simulatorPort: [0, { option: true, scope: "worker" }],
  simulatorServer: [
    async ({ simulatorPort }, use, workerInfo) => withWorkerServer({ simulatorPort }, workerInfo, use),
    { scope: "worker" },
  ],
  centavoWorld: [
    async ({ simulatorServer, simulator, simulatorWorld }, use, testInfo) => {
      const name = simulatorWorld ?? worldNameOf(testInfo);
      const seed = seedOf(testInfo);
      const inShake = shakenWorldOf(testInfo);
      const options = inShake?.options(simulator) ?? simulator;
      const world = await openWorld(simulatorServer as HostingServer, name, seed, options);
      inShake?.begin(world);
      if (wantsInspector()) {
        const { inspectTest } = await import("../testing/inspected-test.ts");
        inspectTest(world.local, { title: testInfo.titlePath.slice(1).join(" > "), file: testInfo.file });
      }
      try {
        await use(world);
        if (inShake !== undefined) await inShake.end();
        else if (testInfo.status !== testInfo.expectedStatus) await attachRun(world.local, testInfo);
      } finally {
        await world.end();
      }
    },
    { scope: "test", timeout: TIME_OF_ITS_OWN },
  ],
  sim: async ({ centavoWorld }, use) => use(centavoWorld.sim),
  paymentService: async ({ centavoWorld }, use) => use(centavoWorld.service),
  payUrl: async ({ sim }, use) => use(payUrlOf(sim)),
  checkoutPage: async ({ page, sim }, use) => use(new CheckoutPage(page, sim)),
  challengePage: async ({ page, sim }, use) => use(new ChallengePage(page, sim)),
};

/**
 * Playwright's `test`, in which each test has a payment service of its own: a world in a server that its worker starts.
 *
 * @example
 * import { expect, test } from "centavo/playwright";
 *
 * test("an order is paid by GCash", async ({ page, sim, paymentService, checkoutPage, challengePage }) => {
 *   const shop = await openShop(paymentService);
 *   await page.goto(`${shop.url}/cart`);
 *   await page.getByRole("button", { name: "Pay" }).click();
 *   await checkoutPage.pay("gcash");
 *   await challengePage.authenticate();
 *   await sim.clock.settle();
 *   await expect(page.getByText("Paid")).toBeVisible();
 *   await shop.close();
 * });
 */
export const test: CentavoTest = base.extend(fixtures as never) as unknown as CentavoTest;
