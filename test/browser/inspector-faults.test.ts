import { createSimulator } from "centavo";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textOf } from "../../scripts/faults-page.ts";
import { paymentService } from "../../src/service/service.ts";
import { HOOKS } from "../merchant/requests.ts";
import { launch } from "./browser.ts";
import { inspect, openWorld, view } from "./inspector.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

describe("the faults", () => {
  test("are all there, each with the sentence of the reference", async () => {
    const { page } = await inspect(browser);
    const faults = await view(page, "faults");
    const kinds = paymentService.knownFaults.kinds.map(({ kind }) => kind);
    expect((await faults.locator(".kinds td:first-child").allInnerTexts()).toSorted()).toEqual(kinds.toSorted());
    const table = await faults.locator(".kinds").innerText();
    for (const kind of kinds) expect(table).toContain(textOf(kind).does.replaceAll("`", ""));
  });

  test("are planned by a form that shows their line of code, and strike", async () => {
    const { page, sim, merchant } = await inspect(browser);
    const faults = await view(page, "faults");
    await faults.getByRole("button", { name: "request.status", exact: true }).click();
    await faults.locator("input[name=status]").fill("429");
    const line = faults.getByLabel("The line of code for it");
    expect(await line.innerText()).toBe(
      'sim.faults.add({ kind: "request.status", status: 429, route: "payment-intent.confirm", times: 1 });',
    );
    await faults.getByRole("button", { name: "Plan it" }).click();
    await faults.getByText("Planned as fault_1.").waitFor();
    expect(sim.faults.list().map(({ fault }) => fault)).toEqual([
      { kind: "request.status", status: 429, route: "payment-intent.confirm", times: 1 },
    ]);
    await expect.poll(() => faults.locator(".planned").innerText()).toContain("has not struck");
    const { id } = await merchant.createIntent();
    expect((await merchant.confirm(id, "pm_card_approved")).status).toBe(429);
    await expect.poll(() => faults.locator(".planned").innerText()).toContain("struck 1 time");
  });

  test("are switched off and on again", async () => {
    const sim = createSimulator({ webhookUrl: HOOKS });
    sim.faults.add({ id: "outage", kind: "request.status", status: 503, route: "payment-intent.confirm" });
    const { page } = await inspect(browser, sim);
    const faults = await view(page, "faults");
    const outage = faults.getByRole("switch", { name: "The fault outage" });
    await outage.click();
    await expect.poll(() => sim.faults.list()).toEqual([]);
    await expect.poll(() => outage.getAttribute("aria-checked")).toBe("false");
    await outage.focus();
    await page.keyboard.press("Space");
    await expect
      .poll(() => sim.faults.list().map(({ fault }) => fault))
      .toMatchObject([{ id: "outage", kind: "request.status", status: 503 }]);
    await expect.poll(() => outage.getAttribute("aria-checked")).toBe("true");
  });

  test("that cannot be are refused beside the form, in the server's own words", async () => {
    const { page, sim } = await inspect(browser);
    const faults = await view(page, "faults");
    await faults.getByRole("button", { name: "request.status", exact: true }).click();
    await faults.locator("input[name=status]").fill("200");
    await faults.getByRole("button", { name: "Plan it" }).click();
    const problem = faults.locator("form").getByRole("alert");
    await expect.poll(() => problem.innerText()).toMatch(/^faults\.add: .*status/);
    expect(sim.faults.list()).toEqual([]);
  });
});

describe("a fork", () => {
  test("stands beside its world, and what differs is marked", async () => {
    const { page, sim, merchant } = await inspect(browser);
    const { id } = await merchant.createIntent({ externalId: "order-1" });
    await merchant.confirm(id, "pm_card_challenge");
    await page.getByRole("button", { name: "Fork", exact: true }).click();
    const compare = page.locator(".compare");
    await compare.getByText("Both worlds stand alike.").waitFor();
    expect(await compare.innerText()).toMatch(/\d+ entries in common\./);
    await page.getByRole("button", { name: "+ 1 day" }).click();
    await compare.getByText(/\d+ things differ\./).waitFor();
    const differences = compare.locator(".differences");
    await expect
      .poll(() => differences.innerText())
      .toMatch(/payment intent order-1 pi_\w+…\s+failed\s+requires_action/);
    expect(await differences.innerText()).toContain("virtual time");
    await expect.poll(() => compare.locator(".side-by-side .differs").count()).toBeGreaterThan(0);
    expect(await compare.locator(".side-by-side .differs .absent").count()).toBeGreaterThan(0);
    expect(sim.intents.get(id)?.status).toBe("failed");
  });

  test("is not the only world to stand beside another", async () => {
    const { page, server, merchant } = await inspect(browser);
    await merchant.createIntent();
    await openWorld(server, "empty");
    await view(page, "compare");
    await page.getByLabel("Beside it").selectOption({ label: "empty" });
    await page.locator(".side-by-side .differs").first().waitFor();
    expect(await page.locator(".compare").innerText()).toContain("No entry in common.");
  });
});
