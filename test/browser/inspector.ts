import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { serve } from "centavo/server";
import type { ServeOptions, SimulatorServer } from "centavo/server";
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { onTestFinished } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";
import { open } from "./browser.ts";

/** A served world, whose shop calls it, and the inspector in a browser. */
export interface Inspected {
  readonly sim: Simulator;
  readonly server: SimulatorServer;
  readonly merchant: Merchant;
  readonly page: Page;
  /** What the page must not do: what stands on its console, and requests to others. */
  readonly complaints: string[];
  readonly foreign: () => readonly string[];
}

/** Opens the inspector of a server that serves this world. */
export async function inspect(
  browser: Browser,
  sim: Simulator = createSimulator({ webhookUrl: HOOKS }),
  { serving = {}, ...options }: BrowserContextOptions & { readonly serving?: ServeOptions } = {},
): Promise<Inspected> {
  const server = await serve(sim, serving);
  onTestFinished(() => server.close());
  const { page, complaints, requests } = await open(browser, server.inspectorUrl(), options);
  await page.getByText("live", { exact: true }).waitFor();
  const foreign = (): readonly string[] => requests.filter((address) => new URL(address).origin !== server.url);
  return { sim, server, merchant: await Merchant.of(sim), page, complaints, foreign };
}

/** Opens a view of the inspector. */
export async function view(page: Page, name: string): Promise<Locator> {
  await page.getByRole("tab", { name }).click();
  await page.waitForFunction((tab) => document.querySelector(`#tab-${tab}`)?.ariaSelected === "true", name);
  return page.locator("#view");
}

/** Opens a named world of a server. */
export async function openWorld({ url, token }: SimulatorServer, name: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${url}/_centavo/worlds/${name}`, { method: "PUT", headers, body: "{}" });
  if (!answer.ok) throw new Error(await answer.text());
}
