import { messageOf } from "../errors/thrown-values.ts";
import { isOnlyDigits, lastFour, maskCardNumbers } from "./card-number.ts";

/**
 * A JWT. A word is looked at once, from its beginning and only when a dot and another word follow: a text of a thousand `eyJ` would
 * otherwise be searched to its end a thousand times.
 */
const TOKEN = /(?<![\w-])(?=[\w-]+\.[\w-])([\w-]*?)eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/gi;
/**
 * The other secrets that Centavo makes, and HTTP credentials; also `ci_fake_` as base64 writes it, which is how a Basic header's value
 * begins. A secret may be glued to the word before it.
 */
const SECRET =
  /(?:(cs|ak|rt)_fake_|(whsec)_|(ck)_(?=[A-Za-z0-9]{24}))[A-Za-z0-9+/=_-]{8,}|(?:Basic|Bearer)\s+(?:\[redacted\]|[\w+/=.~-]{8,})|Y2lfZmFrZV[\w+/=-]+/gi;
const SHORTEST_SECRET = 13;
/** Most field names are none of those below; this is cheaper than to write each in one way first. */
const TELLING_NAME = /c[vo]|secret|token|key|password|auth|number|method/i;

const DROPPED_FIELDS = new Set(["cvc", "cvc2", "cvv", "cvv2", "securitycode", "cardcvc", "cardcvv"]);
const HIDDEN_FIELDS = new Set([
  "clientsecret",
  "refreshtoken",
  "accesstoken",
  "clientkey",
  "adminkey",
  "xadminkey",
  "webhooksecret",
  "password",
  "authorization",
]);
const CARD_FIELDS = new Set(["cardnumber", "paymentmethodid", "paymentmethod", "method"]);

/** Writes a text without the secrets in it; of a card number the last four digits stay. */
export function redactText(text: string): string {
  if (text.length < SHORTEST_SECRET) return text;
  const withoutTokens = text.replaceAll(TOKEN, "$1[redacted]");
  const withoutSecrets = withoutTokens.replaceAll(SECRET, (_, secret?: string, webhook?: string, key?: string) => {
    const prefix = secret ?? webhook ?? key;
    return prefix === undefined ? "[redacted]" : `${prefix}_[redacted]`;
  });
  return maskCardNumbers(withoutSecrets);
}

/** Returns the message of something thrown, as the journal holds it. */
export function redactedMessageOf(thrown: unknown): string {
  return redactText(messageOf(thrown));
}

/** Writes a path as it was sent, unless percent-encoding hides a secret in it. */
export function redactPath(path: string): string {
  if (!path.includes("%")) return redactText(path);
  const decoded = decode(path);
  const redacted = redactText(decoded);
  return redacted === decoded ? redactText(path) : redacted;
}

/** A copy of a plain value that is fit for the journal: card numbers masked, CVCs dropped, tokens and secrets hidden. */
export function redact(value: unknown): unknown {
  if (typeof value === "string") return redactText(value);
  if (typeof value === "number") return redactNumber(value);
  if (Array.isArray(value)) return isCardNumberInParts(value) ? ["[redacted]"] : value.map(redact);
  if (typeof value !== "object" || value === null) return value;
  const entries: [string, unknown][] = [];
  for (const [name, inner] of Object.entries(value)) {
    const field = TELLING_NAME.test(name) ? innermost(name).replaceAll(/[_-]/g, "").toLowerCase() : "";
    if (DROPPED_FIELDS.has(field)) continue;
    if (HIDDEN_FIELDS.has(field)) entries.push([name, "[redacted]"]);
    else if (CARD_FIELDS.has(field) && typeof inner === "string" && isOnlyDigits(inner))
      entries.push([name, lastFour(inner)]);
    else entries.push([redactText(name), redact(inner)]);
  }
  return Object.fromEntries(entries);
}

/** A card number may come as a list of its groups or digits. */
function isCardNumberInParts(parts: readonly unknown[]): boolean {
  if (parts.length < 2 || parts.length > 19) return false;
  const text = parts.map((part) => (typeof part === "number" || typeof part === "string" ? part : "x")).join(" ");
  return isOnlyDigits(text) && maskCardNumbers(text).startsWith("•");
}

/** A card number may also come as a JSON number. */
function redactNumber(value: number): number | string {
  if (Number.isInteger(value) && Math.abs(value) < 1e12) return value;
  const text = String(value);
  const redacted = redactText(text);
  return redacted === text ? value : redacted;
}

function decode(path: string): string {
  return path.replaceAll(/(?:%[\da-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}

/** The last name of a field that a form writes with brackets: `cvc` of `card[cvc]`. */
function innermost(name: string): string {
  return name.endsWith("]") ? name.slice(name.lastIndexOf("[") + 1, -1) : name;
}
