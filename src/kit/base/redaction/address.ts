import { Redaction } from "./redaction.ts";

const redaction = new Redaction();

/**
 * Writes an address for messages, timelines and reports: where it leads, without what only its receiver may know. A query may hold keys of
 * any shape, so it is shown as "?…".
 */
export function shownAddress(address: string): string {
  const [place = ""] = address.split(/[?#]/, 1);
  const rest = place.length < address.length ? `${address[place.length]}…` : "";
  const isContent = /^(?:data|javascript):/i.exec(place);
  if (isContent !== null) return `${isContent[0]}…`;
  return redaction.text(place.replace(/^([a-z][\w+.-]*:)?\/\/[^/]*@/i, "$1//…@")) + rest;
}
