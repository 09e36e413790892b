import { test } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { shownAddress } from "../kit/base/redaction/address.ts";
import { customerPages } from "../simulator/payment-service.ts";
import type { CustomerPage, CustomerPages, CustomerVisit } from "../simulator/customer.ts";
import type { Simulator } from "../simulator/simulator.ts";

/** What a page of the customer is, and the verbs of the page object for it. */
interface Expected {
  readonly kind: CustomerPage["kind"];
  /** The verb that was called, such as `checkoutPage.pay`. */
  readonly call: string;
}

const PAGE_OBJECTS = { "hosted page": "checkoutPage", challenge: "challengePage" } as const;

/** Plays an act of the customer as a step of the test, whose error shows the line of the test. */
export async function act<Result>(title: string, perform: () => Promise<Result>): Promise<Result> {
  // Playwright leaves out the frame of this function, and needs it to find the next one.
  const result = await test.step(title, perform, { box: true });
  return result;
}

/** Finds an element of a page by its documented test id, whatever attribute the configuration of Playwright takes for its own. */
export function byTestId(page: Page, id: string): Locator {
  return page.locator(`[data-testid="${id}"]`);
}

function pagesOf({ internals }: Simulator): CustomerPages {
  return customerPages(internals.parts.checkout, internals.parts.intents);
}

/** Returns the address of the open challenge of an intent, also of one that has no `redirectUrl`. */
export function challengeUrlOf(sim: Simulator, intentId: string): string | undefined {
  const path = pagesOf(sim).displayedBy(intentId);
  return path === undefined ? undefined : sim.baseUrl + path;
}

/**
 * Opens a page of the customer, if an address is given, and finds which one the browser shows.
 * @param given the address, or the id of an intent with an open challenge; undefined for the page that the browser is on
 * @throws {CentavoError} `INVALID_URL` when the browser shows no such page of this world
 */
export async function shownPage(
  page: Page,
  sim: Simulator,
  { kind, call }: Expected,
  given: readonly unknown[],
): Promise<CustomerPage> {
  if (given.length > 0) await page.goto(addressOf(sim, call, given[0]));
  const at = page.url();
  const found = at.startsWith(`${sim.baseUrl}/`)
    ? pagesOf(sim).at(new URL(at).pathname.slice(new URL(sim.baseUrl).pathname.length))
    : undefined;
  if (found?.kind === kind) return found;
  const where = `the browser is at ${shownAddress(at)}`;
  if (found !== undefined)
    throw new CentavoError(
      "INVALID_URL",
      `${call}: ${where}, which is a ${found.kind}. Use ${PAGE_OBJECTS[found.kind]} there.`,
    );
  throw new CentavoError(
    "INVALID_URL",
    `${call}: ${where}, which is not a ${kind} of this test. Lead the customer there first, or give its address; it starts with ${sim.baseUrl}.`,
  );
}

function addressOf(sim: Simulator, call: string, given: unknown): string {
  const url = typeof given === "string" ? (challengeUrlOf(sim, given) ?? given) : undefined;
  if (url !== undefined && URL.canParse(url) && url.startsWith(`${sim.baseUrl}/`)) return url;
  const shown = url === undefined ? String(given) : JSON.stringify(shownAddress(url));
  throw new CentavoError(
    "INVALID_URL",
    `${call}(${shown}): this is not the address of a page of this test. Give a checkoutUrl or a redirectUrl, which start with ${sim.baseUrl}, or none for the page that the browser is on.`,
  );
}

/** Walks away from a page without an answer. */
export async function leave(page: Page, { status }: CustomerPage): Promise<CustomerVisit> {
  await page.goto("about:blank");
  return { status: status() ?? "unknown" };
}

/**
 * Presses a button of a page and waits until the browser is where the answer leads. An address that does not answer, such as that of an app,
 * ends the wait, too.
 */
export async function submit(page: Page, { status }: CustomerPage, button: Locator): Promise<CustomerVisit> {
  const isPosted = page.waitForRequest(
    (request) => request.method() === "POST" && request.isNavigationRequest() && request.frame() === page.mainFrame(),
  );
  // Rejects, too, when the button cannot be pressed.
  isPosted.catch(() => undefined);
  await button.click();
  const posted = await isPosted;
  const location = (await (await posted.response())?.headerValue("location")) ?? undefined;
  if (location !== undefined) {
    const failure = posted.redirectedTo()?.failure()?.errorText;
    if (failure !== undefined) await showsItsFailure(page, failure);
    return { status: status() ?? "unknown", redirectedTo: new URL(location, posted.url()).href };
  }
  const problem = await problemOn(page);
  return { status: status() ?? "unknown", ...(problem !== undefined && { problem }) };
}

/** Waits for Chromium's page of an error, which would break off what the test opens next. It shows none for the address of an app. */
async function showsItsFailure(page: Page, failure: string): Promise<void> {
  if (failure.includes("ERR_ABORTED") || !failure.startsWith("net::")) return;
  await page.waitForURL(/^chrome-error:/);
}

async function problemOn(page: Page): Promise<string | undefined> {
  const problem = byTestId(page, "problem");
  return (await problem.count()) === 0 ? undefined : (await problem.innerText()).trim();
}
