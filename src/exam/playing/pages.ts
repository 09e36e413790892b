import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import { customerPages } from "../../simulator/payment-service.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { textOf } from "./secrets.ts";
import { SHOP } from "./programs.ts";

/** The statuses of a session that is unpaid and can no longer be paid. */
const CLOSED: ReadonlySet<string> = new Set(["failed", "cancelled", "expired"]);

/**
 * Returns where an answer sends the customer: to its redirect, or to a page of the service that it names. A page that
 * takes a payment comes first.
 */
export async function leadsTo(response: Response, sim: Simulator): Promise<string | undefined> {
  const location = response.headers.get("location");
  if (location !== null) return URL.parse(location, SHOP)?.href;
  const text = await textOf(response);
  const from = text.replaceAll("\\/", "/").replaceAll("&amp;", "&");
  const addresses = from.split(/[\s"'<>\\]+/).flatMap((word) => {
    const start = word.indexOf(`${sim.baseUrl}/`);
    return start === -1 ? [] : [word.slice(start)];
  });
  const { checkout, intents } = sim.internals.parts;
  const { kindAt } = customerPages(checkout, intents);
  const pages = addresses.filter((url) => kindAt(sim.baseUrl, url) !== undefined);
  // An answer may list the pages of earlier sessions, too.
  const open = pages.filter((url) => hostedPage(url, sim)?.closed === undefined);
  const newest = Math.max(...open.map((url) => hostedPage(url, sim)?.createdAt ?? Infinity));
  return open.find((url) => (hostedPage(url, sim)?.createdAt ?? Infinity) === newest) ?? pages[0];
}

/** A hosted page of the service. */
export interface HostedPage {
  /** Why it no longer takes a payment; undefined while it does. */
  readonly closed: string | undefined;
  /** When its session was created, in milliseconds since 1970. */
  readonly createdAt: number;
}

/** Returns what a customer finds at an address of the service; undefined where it is no hosted page. */
export function hostedPage(url: string, sim: Simulator): HostedPage | undefined {
  const session = sim.checkouts.list().find(({ checkoutUrl }) => checkoutUrl === url);
  if (session === undefined) return undefined;
  const { status, createdAt } = session;
  return { closed: CLOSED.has(status) ? status : undefined, createdAt: OriginalDate.parse(createdAt) };
}
