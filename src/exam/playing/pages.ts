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
  const pages = addresses.filter((url) => /^\/(pay|authenticate)\//.test(url.slice(sim.baseUrl.length)));
  return pages.find((url) => closedPage(url, sim) === undefined) ?? pages[0];
}

/** Returns the status of a hosted page that no longer takes a payment; undefined for other pages. */
export function closedPage(url: string, sim: Simulator): string | undefined {
  const session = sim.checkouts.list().find(({ checkoutUrl }) => checkoutUrl === url);
  return session !== undefined && CLOSED.has(session.status) ? session.status : undefined;
}
