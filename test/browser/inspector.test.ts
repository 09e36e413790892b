import { readFileSync } from "node:fs";
import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { describeWorld } from "../../src/server/inspector/about-worlds.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";
import { launch, open } from "./browser.ts";
import { inspect, openWorld, view } from "./inspector.ts";
import { shopInTrouble } from "./shop-in-trouble.ts";

let browser: Browser;

beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => browser.close());

/** The texts of the rows that are drawn, once there is one with this text. */
async function rowsWith(page: Page, text: string | RegExp): Promise<readonly string[]> {
  await page.locator(".row").filter({ hasText: text }).first().waitFor();
  return page.locator(".row").allInnerTexts();
}

describe("signing in", () => {
  test("takes the code out of the address, and a reload needs no other", async () => {
    const { page, server } = await inspect(browser);
    expect(page.url()).toBe(`${server.url}/_centavo`);
    await page.reload();
    await page.getByText("live", { exact: true }).waitFor();
    expect(await page.locator("h1").innerText()).toBe("default world");
  });

  test("with an address that was used says so, and which call makes another", async () => {
    const server = await serve(createSimulator());
    onTestFinished(() => server.close());
    const address = server.inspectorUrl();
    await open(browser, address);
    const { page } = await open(browser, address);
    await expect.poll(() => page.getByRole("alert").innerText()).toContain("was used already");
    expect(await page.locator("main").innerText()).toContain(`${server.url}/_centavo/api/v1/inspector`);
    await page.getByLabel("Address or code").fill(server.inspectorUrl());
    await page.keyboard.press("Enter");
    await page.getByText("live", { exact: true }).waitFor();
    expect(await page.locator("h1").innerText()).toBe("default world");
  });
});

describe("the worlds", () => {
  test("are named by their tests, come by themselves, and are left when they end", async () => {
    const { page, sim, server } = await inspect(browser);
    describeWorld(sim, { title: "orders > pays once" });
    await page.locator(".world").filter({ hasText: "orders > pays once" }).waitFor();
    await openWorld(server, "memberships");
    const other = page.locator(".world").filter({ hasText: "memberships" });
    await other.click();
    expect(await other.getAttribute("aria-current")).toBe("true");
    expect(await page.locator("h1").innerText()).toBe("memberships");
    await expect.poll(() => page.locator(".rows").innerText()).toBe("Nothing has happened yet.");
    const headers = { authorization: `Bearer ${server.token}` };
    await fetch(`${server.url}/_centavo/worlds/memberships`, { method: "DELETE", headers });
    await expect.poll(() => other.innerText()).toContain("ended");
    await page.getByText("This world has ended.").first().waitFor();
    expect(await page.getByRole("button", { name: "next event" }).isDisabled()).toBe(true);
    // A world of the same name takes its place.
    await openWorld(server, "memberships");
    await expect.poll(() => page.getByRole("button", { name: "next event" }).isDisabled()).toBe(false);
    await page.getByRole("button", { name: "+ 1 day" }).click();
    await expect.poll(() => page.locator(".now").innerText()).toContain("2026-01-02");
  });

  test("stay chosen, with their view, when the page is loaded again", async () => {
    const { page, server } = await inspect(browser);
    await openWorld(server, "memberships");
    await page.locator(".world").filter({ hasText: "memberships" }).click();
    await view(page, "faults");
    await page.reload();
    await page.locator("#fault-kind").waitFor();
    expect(await page.locator("h1").innerText()).toBe("memberships");
  });
});

describe("the timeline", () => {
  test("shows a call while it happens, and leads to its headers and bodies", async () => {
    const { page, merchant } = await inspect(browser);
    await merchant.call(
      "POST",
      "/api/payment-intent",
      { amount: 49_900, description: "1 × The Left Hand of Darkness" },
      { "idempotency-key": "order-1" },
    );
    await rowsWith(page, "The Left Hand of Darkness");
    await page.locator(".row").filter({ hasText: "The Left Hand of Darkness" }).click();
    const details = page.locator("#details");
    await details.getByText("header").first().click();
    await expect.poll(() => details.innerText()).toContain("order-1");
    expect(await details.innerText()).toMatch(/"status": "pending"/);
    expect(await details.innerText()).toContain("[redacted]");
    expect(await details.innerText()).not.toMatch(/eyJ\w/);
  });

  test("follows the newest entry at its end, and stays where a reader has scrolled", async () => {
    const { page, merchant } = await inspect(browser);
    for (let number = 0; number < 40; number += 1) await merchant.createIntent({ description: `order ${number}` });
    await rowsWith(page, "order 39");
    const list = page.locator(".rows");
    await list.evaluate((element) => element.scrollTo(0, 0));
    await expect.poll(() => page.getByRole("button", { name: "follow" }).getAttribute("aria-pressed")).toBe("false");
    const count = page.locator(".filters output");
    const before = await count.innerText();
    await merchant.createIntent({ description: "one more" });
    await expect.poll(() => count.innerText()).not.toBe(before);
    expect(await list.evaluate((element) => element.scrollTop)).toBe(0);
    await page.getByRole("button", { name: "follow" }).click();
    await rowsWith(page, "one more");
    await merchant.createIntent({ description: "the last" });
    await rowsWith(page, "the last");
  });

  test("is searched and filtered while it grows", async () => {
    const { page, merchant } = await inspect(browser);
    await merchant.createIntent({ description: "a lamp" });
    await page.getByRole("searchbox", { name: "Search", exact: true }).fill("lamp");
    await rowsWith(page, "a lamp");
    await merchant.createIntent({ description: "a book" });
    await merchant.createIntent({ description: "another lamp" });
    const shown = await rowsWith(page, "another lamp");
    expect(shown.join("\n")).not.toContain("a book");
  });

  test("begins anew when the world is reset", async () => {
    const { page, sim, merchant } = await inspect(browser);
    await merchant.createIntent({ description: "before the reset" });
    await rowsWith(page, "before the reset");
    sim.reset();
    await expect.poll(() => page.locator(".rows").innerText()).toBe("Nothing has happened yet.");
  });
});

test("a resource has its diagram, in which its state and its path are marked as they change", async () => {
  const { page, sim, merchant } = await inspect(browser);
  const { id } = await merchant.createIntent();
  await merchant.confirm(id, "pm_card_approved");
  await view(page, "resources");
  const last = page.locator(".path .diagram .last");
  await expect.poll(() => last.getAttribute("id")).toBe("payment_intent-processing");
  await sim.clock.settle();
  await expect.poll(() => last.getAttribute("id")).toBe("payment_intent-succeeded");
  const visited = await page
    .locator(".path .diagram .state.visited")
    .evaluateAll((states) => states.map((each) => each.id));
  expect(visited).toContain("payment_intent-requires_confirmation");
  expect(visited).not.toContain("payment_intent-failed");
});

describe("the clock", () => {
  test("goes to the next event, on by a month, and to a date", async () => {
    const sim = createSimulator({ webhookUrl: HOOKS });
    sim.connect(SHOP, () => new Response("ok"));
    const { page, merchant } = await inspect(browser, sim);
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, "pm_card_challenge");
    await sim.clock.settle();
    const clock = page.getByRole("region", { name: "Clock" });
    await expect.poll(() => clock.innerText()).toContain("its challenge expires");
    await clock.getByRole("button", { name: "next event" }).click();
    await expect.poll(() => sim.intents.get(id)?.status).not.toBe("requires_action");
    await clock.getByRole("button", { name: "+ 1 month" }).click();
    await expect.poll(() => clock.locator(".now").innerText()).toContain("2026-02-01");
    await clock.getByLabel("Date to which the clock goes, in UTC").fill("2026-03-05T06:07:08");
    await clock.getByRole("button", { name: "go to date" }).click();
    await expect.poll(() => clock.locator(".now").innerText()).toContain("2026-03-05 06:07:08");
    expect(sim.clock.now()).toBe("2026-03-05T06:07:08.000Z");
  });

  test("says where a refusal was asked for what the server says of it", async () => {
    const { page, sim } = await inspect(browser);
    await sim.clock.advance("1 day");
    await expect.poll(() => page.locator(".now").innerText()).toContain("2026-01-02");
    await page.getByLabel("Date to which the clock goes, in UTC").fill("2025-01-01T00:00:00");
    await page.getByRole("button", { name: "go to date" }).click();
    const problem = page.getByRole("region", { name: "Clock" }).getByRole("alert");
    await expect.poll(() => problem.innerText()).toContain("2025-01-01");
  });

  test("has a line on which each mark takes it to its moment", async () => {
    const { page, sim, merchant } = await inspect(browser);
    await merchant.createCheckout();
    const { id } = await merchant.createIntent();
    await merchant.confirm(id, "pm_card_challenge");
    const clock = await view(page, "clock");
    const marks = clock.getByRole("button", { name: /^Go to/ });
    await expect.poll(() => marks.count()).toBeGreaterThanOrEqual(2);
    const places = await marks.evaluateAll((each) => each.map((mark) => mark.getBoundingClientRect().left));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    await marks
      .filter({ hasText: "" })
      .and(clock.getByLabel(/its challenge expires/))
      .click();
    await expect.poll(() => sim.intents.get(id)?.status).toBe("failed");
    expect(await clock.locator("tbody tr").count()).toBeGreaterThanOrEqual(1);
  });

  test("is the test's own where the test owns the world: nothing can be changed, with the reason, and a fork can", async () => {
    const reason = 'The test "pays once" owns this world.';
    const sim = createSimulator({ webhookUrl: HOOKS });
    describeWorld(sim, { title: "pays once", ownedBecause: reason });
    const { page, merchant } = await inspect(browser, sim);
    await merchant.pay({});
    await sim.clock.settle();
    const clock = page.getByRole("region", { name: "Clock" });
    for (const button of await clock.getByRole("button").all()) expect(await button.isDisabled()).toBe(true);
    expect(await clock.innerText()).toContain(reason);
    await page.locator(".row").filter({ hasText: "attempt 1" }).first().click();
    expect(await page.getByRole("button", { name: "Redeliver" }).isDisabled()).toBe(true);
    const faults = await view(page, "faults");
    expect(await faults.innerText()).toContain(reason);
    expect(await page.getByRole("button", { name: "Plan it" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Fork", exact: true }).click();
    await page.locator(".world").filter({ hasText: "fork-1" }).click();
    await page.getByRole("button", { name: "+ 1 day" }).click();
    await expect.poll(() => page.locator(".now").innerText()).toContain("2026-01-02");
    expect(sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
  });
});

describe("an event", () => {
  test("is delivered again by a button", async () => {
    const sim = createSimulator({ webhookUrl: HOOKS });
    const ids: string[] = [];
    sim.connect(SHOP, async (request: Request) => {
      ids.push(((await request.json()) as { readonly id: string }).id);
      return new Response("ok");
    });
    const { page, merchant } = await inspect(browser, sim);
    await merchant.pay({});
    await sim.clock.settle();
    await page.locator(".row").filter({ hasText: "attempt 1" }).last().click();
    const before = ids.length;
    await page.getByRole("button", { name: "Redeliver" }).click();
    await page.getByText("The event goes out when the clock next moves or settles.").waitFor();
    await page.getByRole("button", { name: "settle" }).click();
    await expect.poll(() => ids.length).toBe(before + 1);
    expect(new Set(ids).size).toBe(before);
    await rowsWith(page, "attempt 2");
  });
});

test("a call is copied as a command without its secrets", async () => {
  const { page, server, sim, merchant } = await inspect(browser, undefined, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await merchant.createIntent({ description: "it's a lamp" });
  await page.locator(".row").filter({ hasText: "a lamp" }).click();
  await page.getByRole("button", { name: "Copy as curl" }).click();
  await page.getByText("Copied.").waitFor();
  const command = await page.evaluate(() => navigator.clipboard.readText());
  expect(command).toContain(`'${server.url}/api/payment-intent'`);
  expect(command).toContain(`'authorization: Bearer '"$CENTAVO_TOKEN"`);
  expect(command).toContain(String.raw`"description": "it'\''s a lamp"`);
  expect(command).not.toContain(sim.credentials.clientSecret);
});

test("the open pages lead to where the customer acts, in a tab that knows nothing of this one", async () => {
  const { page, sim, merchant } = await inspect(browser);
  const customer = await view(page, "customer");
  await customer.getByText("No page waits for a customer.").waitFor();
  const { id } = await merchant.createCheckout({ description: "2 × reading lamp", amount: 129_900 });
  await expect.poll(() => customer.innerText()).toContain("₱1,299.00");
  const link = customer.getByRole("link", { name: "Open the page" });
  expect(await link.getAttribute("rel")).toBe("noopener noreferrer");
  const [opened] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
  await opened.waitForLoadState();
  expect(await opened.evaluate(() => window.opener === null)).toBe(true);
  expect(await opened.locator("body").innerText()).toContain("2 × reading lamp");
  await sim.customer.cancel(sim.checkouts.get(id)?.checkoutUrl);
  await customer.getByText("No page waits for a customer.").waitFor();
});

test("what probably went wrong is said first, with the way out", async () => {
  const { page } = await inspect(browser, await shopInTrouble());
  const causes = page.locator(".causes");
  await causes.locator("summary").click();
  expect(await causes.innerText()).toContain("payment_intent.failed with 500");
  expect(await causes.innerText()).toContain("Way out:");
});

test("the report and the recording are saved as files", async () => {
  const { page } = await inspect(browser, await shopInTrouble());
  for (const [button, name, content] of [
    ["Report", "centavo-default-report.html", "<!doctype html>"],
    ["Recording", "centavo-default-recording.json", '{"version"'],
  ] as const) {
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: button }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(name);
    expect(readFileSync(await download.path(), "utf8").slice(0, content.length)).toBe(content);
  }
});

describe("a connection that breaks off", () => {
  test("is told, and after a restart of the server another address signs in again, in the same tab", async () => {
    const { page, server } = await inspect(browser);
    const port = Number(new URL(server.url).port);
    await server.close();
    await page.getByText("connection lost").waitFor();
    await page.getByRole("button", { name: "+ 1 day" }).click();
    const problem = page.getByRole("region", { name: "Clock" }).getByRole("alert");
    await expect.poll(() => problem.innerText()).toContain("The connection to the server is lost");
    const again = await serve(createSimulator({ now: "2027-01-01T00:00:00Z" }), { port });
    onTestFinished(() => again.close());
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.goto(again.inspectorUrl());
    await page.getByText("live", { exact: true }).waitFor();
    await expect.poll(() => page.locator(".now").innerText()).toContain("2027-01-01");
  });
});

test("everything is done by the keyboard, and the focus is seen", async () => {
  const { page, merchant } = await inspect(browser);
  await merchant.createIntent({ description: "a lamp" });
  await rowsWith(page, "a lamp");
  await page.keyboard.press("/");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("search");
  await page.keyboard.press("Escape");
  await page.evaluate(() => (document.activeElement as HTMLElement).blur());
  await page.keyboard.press("5");
  expect(await page.getByRole("tab", { selected: true }).innerText()).toMatch(/^faults/i);
  await page.keyboard.press("1");
  // What can be reached by the tab key, from the first to the last, each with a visible focus.
  const reached: string[] = [];
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press("Tab");
    const focus = await page.evaluate(() => {
      const element = document.activeElement ?? document.body;
      const { outlineStyle } = getComputedStyle(element);
      const names = [element.textContent, element.ariaLabel, element.id];
      const name = names.find((each) => each !== null && each !== "") ?? "";
      return { name, isNone: element === document.body, outlineStyle };
    });
    if (focus.isNone) continue;
    expect(focus.outlineStyle === "none" ? focus.name : "").toBe("");
    reached.push(focus.name);
  }
  for (const name of ["default world", "Fork", "next event", "go to date", "timeline"])
    expect(reached.some((each) => each.includes(name))).toBe(true);
  await page.locator(".rows").focus();
  await page.keyboard.press("End");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("details");
  await page.keyboard.press("Escape");
  expect(await page.locator("#details").innerText()).toContain("Select an entry");
});

test("a tab that nobody sees lets go of its connections, and has caught up when it is seen again", async () => {
  const { page, merchant } = await inspect(browser);
  await page.clock.install();
  const turn = (state: "hidden" | "visible"): Promise<void> =>
    page.evaluate((seen) => {
      Object.defineProperty(document, "visibilityState", { value: seen, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  const letGo = ["worlds", "run"].map((name) =>
    page.waitForEvent("requestfailed", (request) => request.url().endsWith(`/_centavo/inspector/${name}`)),
  );
  await turn("hidden");
  await page.clock.fastForward(31_000);
  await Promise.all(letGo);
  await merchant.createIntent({ description: "while nobody looked" });
  await turn("visible");
  await rowsWith(page, "while nobody looked");
});
