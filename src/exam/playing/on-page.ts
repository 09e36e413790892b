import { customerPages } from "../../simulator/payment-service.ts";
import type { ActStep, OnPages } from "../story.ts";
import { pageInWords } from "./acts-in-words.ts";
import { nameOf } from "./names.ts";
import { BETWEEN_ACTS, PATIENCE } from "./programs.ts";
import type { StoryRun } from "./story-run.ts";

/** Lets a customer act on one of the service's pages, and returns where it leads. */
export async function actOnPage(
  { sim, course, time, seen, deliveries }: StoryRun,
  url: string,
  { id, method }: ActStep,
  { page = "pay", challenge = "pass", comesBack = true, after = 0 }: OnPages,
): Promise<string | undefined> {
  await course.passTo(time.now + BETWEEN_ACTS + after);
  // The trouble that keeps the customer on the page has said so.
  if (after > 0) seen.timeIsTold();
  const { checkout, intents } = sim.internals.parts;
  const isChallenge = customerPages(checkout, intents).kindAt(sim.baseUrl, url) === "challenge";
  const does = isChallenge ? challenge : page;
  if (does === "leave") return undefined;
  const { customer } = sim;
  const visit = {
    pay: () => customer.pay(url, method),
    cancel: () => customer.cancel(url),
    pass: () => customer.authenticate(url),
    fail: () => customer.failAuthentication(url),
  }[does];
  seen.tell(pageInWords[does](nameOf(id), method));
  deliveries.browserIsClosed = !comesBack;
  const visiting = visit().catch(() => undefined);
  const isVisited = await course.until(visiting, time.now + PATIENCE);
  deliveries.browserIsClosed = false;
  if (!isVisited) return undefined;
  const redirectedTo = (await visiting)?.redirectedTo;
  // The page returns the customer to the merchant.
  return redirectedTo?.startsWith(`${sim.baseUrl}/`) === true ? redirectedTo : undefined;
}
