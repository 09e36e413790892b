import { passesLuhn } from "./card-number.ts";

/** Secrets that Centavo makes, tokens, and whatever looks like a payment card's number. */
const SECRET = /\b(?:(cs|ak|rt)_fake_|(whsec)_|(ck)_)[A-Za-z0-9+/=_-]{16,}|\beyJ[\w-]+\.[\w-]+\.[\w-]*|\b(?:Basic|Bearer)\s+[\w+/=.~-]{8,}|(?<![\d.])\d(?:[ -]?\d){12,18}(?![\d.])/g;
const HIDDEN_FIELDS = new Set(["cvc", "cvv", "client_secret", "clientsecret", "refresh_token", "refreshtoken", "access_token", "accesstoken", "clientkey", "password"]);

/** Writes a text without the secrets in it; of a card number the last four digits stay. */
export function redactText(text: string): string {
  return text.replaceAll(SECRET, (found, secret?: string, webhook?: string, key?: string) => {
    const prefix = secret ?? webhook ?? key;
    if (prefix !== undefined) return `${prefix}_[redacted]`;
    if (/^\d/.test(found)) return maskCard(found);
    return "[redacted]";
  });
}

/** A copy of a plain value that is fit for the journal: card numbers masked, CVCs dropped, tokens and secrets hidden. */
export function redact(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).flatMap(([name, inner]): [string, unknown][] => {
    const field = name.toLowerCase();
    if (field === "cvc" || field === "cvv") return [];
    if (HIDDEN_FIELDS.has(field)) return [[name, "[redacted]"]];
    if (field === "cardnumber" && typeof inner === "string") return [[name, lastFour(inner)]];
    return [[redactText(name), redact(inner)]];
  });
  return Object.fromEntries(entries);
}

function maskCard(number: string): string {
  return passesLuhn(number) ? lastFour(number) : number;
}

function lastFour(number: string): string {
  return `•••• ${number.replaceAll(/\D/g, "").slice(-4)}`;
}
