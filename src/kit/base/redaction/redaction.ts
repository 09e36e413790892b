import { messageOf } from "../errors/thrown-values.ts";
import { isCardNumberInParts, isOnlyDigits, lastFour, maskCardNumbers } from "./card-number.ts";

/**
 * The secrets of a service, as it declares them. The kit knows card numbers, card codes, JWTs, HTTP credentials and the fields of OAuth
 * by itself.
 */
export interface DeclaredSecrets {
  /**
   * The shape of each kind of secret, by what the journal shows before `[redacted]`: `{ sk_: /sk_[A-Za-z0-9]{24}/ }`. They are found
   * anywhere in a text, in upper and lower case, so a shape needs no flags; it has no groups, and takes linear time.
   */
  readonly shapes?: Readonly<Record<string, RegExp>>;
  /** Names of fields with values that are never shown, in any spelling: case, hyphens and underscores do not count. */
  readonly fields?: readonly string[];
  /** Names of fields that hold no card number, but might be sent one: a value of digits alone is cut down to its last four. */
  readonly cardFields?: readonly string[];
}

/** Path parameters that open what they name, each with the shape of its values, such as `{ token: /[a-z\d]{32}/ }`. */
export type SecretParameters = Readonly<Record<string, RegExp>>;

/**
 * A JWT. A word is looked at once, from its beginning and only when a dot and another word follow: a text of a thousand `eyJ` would
 * otherwise be searched to its end a thousand times.
 */
export const TOKEN = /(?<![\w-])(?=[\w-]+\.[\w-])([\w-]*?)eyJ[\w-]+\.[\w-]+(?:\.[\w-]*)?/gi;
const HTTP_CREDENTIALS = /(?:Basic|Bearer)\s+(?:\[redacted\]|[\w+/=.~-]{8,})/;
/** An escape that was escaped again, any number of times: `%2534` is `%34`. */
const ESCAPED_AGAIN = /%(?:25)+(?=[\da-f]{2})/gi;
const NEVER = "(?!)";
const utf8 = new TextDecoder();
const SHORTEST_SECRET = 13;
/** How much of a secret parameter is shown: enough to tell two apart, and too little to guess the rest. */
const SHOWN = 8;

const DROPPED_FIELDS = ["cvc", "cvc2", "cvv", "cvv2", "securitycode", "cardcvc", "cardcvv"];
const HIDDEN_FIELDS = ["clientsecret", "refreshtoken", "accesstoken", "password", "authorization"];
const CARD_FIELDS = ["cardnumber"];

type Treatment = "drop" | "hide" | "card" | "shorten";

/** Takes secrets out of what people read: the journal, timelines and messages. It knows the secrets of one service. */
export class Redaction {
  readonly #kept: readonly string[];
  /** Every shape as a group of its own. A secret may be glued to the word before it. */
  readonly #secret: RegExp;
  readonly #parameter: RegExp;
  /** In an address only, because merchants give ids of their own the same shape. */
  readonly #parameterInAddress: RegExp;
  /** Finds any of them in one pass. Most texts have none. */
  readonly #any: RegExp;
  readonly #treatments: ReadonlyMap<string, Treatment>;

  /** @param parameters the secret path parameters of the service's routes; a field of such a name is secret, too */
  constructor({ shapes = {}, fields = [], cardFields = [] }: DeclaredSecrets = {}, parameters: SecretParameters = {}) {
    this.#kept = Object.keys(shapes);
    const groups = Object.values(shapes).map(({ source }) => `(${source})`);
    this.#secret = new RegExp([...groups, HTTP_CREDENTIALS.source].join("|"), "gi");
    const parameter = Object.values(parameters).map(({ source }) => source);
    const anyParameter = `(?:${(parameter.length === 0 ? [NEVER] : [...new Set(parameter)]).join("|")})`;
    this.#parameter = new RegExp(anyParameter, "gi");
    this.#parameterInAddress = new RegExp(`(?<=[/=])${anyParameter}`, "gi");
    this.#any = new RegExp(
      [TOKEN, this.#secret, this.#parameterInAddress].map(({ source }) => `(?:${source})`).join("|"),
      "i",
    );
    const named = (names: readonly string[], treatment: Treatment) =>
      names.map((name) => [plainName(name), treatment] as const);
    this.#treatments = new Map([
      ...named(Object.keys(parameters), "shorten"),
      ...named([...CARD_FIELDS, ...cardFields], "card"),
      ...named([...HIDDEN_FIELDS, ...fields], "hide"),
      ...named(DROPPED_FIELDS, "drop"),
    ]);
  }

  /**
   * Returns a text without the secrets in it; of a card number the last four digits stay. The text stays as it was written, unless
   * percent-encoding hides a secret in it.
   */
  text(text: string): string {
    if (text.length < SHORTEST_SECRET) return text;
    if (text.includes("%")) {
      const decoded = decode(decode(text));
      const redacted = this.#plainText(decoded);
      if (redacted !== decoded) return redacted;
    }
    return this.#plainText(text);
  }

  /** Returns the message of something thrown, as the journal holds it. */
  messageOf(thrown: unknown): string {
    return this.text(messageOf(thrown));
  }

  /** Returns a copy of a plain value that is fit for the journal: card numbers masked, CVCs dropped, tokens and secrets hidden. */
  value<Value>(value: Value): Value {
    return this.#value(value) as Value;
  }

  #plainText(text: string): string {
    if (!this.#any.test(text)) return maskCardNumbers(text);
    const redacted = text
      .replaceAll(TOKEN, "$1[redacted]")
      .replaceAll(this.#secret, (_, ...groups: unknown[]) => {
        const kind = this.#kept.findIndex((_kept, index) => groups[index] !== undefined);
        return `${this.#kept[kind] ?? ""}[redacted]`;
      })
      .replaceAll(this.#parameterInAddress, shortened);
    return maskCardNumbers(redacted);
  }

  #value(value: unknown): unknown {
    if (typeof value === "string") return this.text(value);
    if (typeof value === "number") return this.#number(value);
    if (Array.isArray(value))
      return isCardNumberInParts(value) ? ["[redacted]"] : value.map((part) => this.#value(part));
    if (typeof value !== "object" || value === null) return value;
    const entries: [string, unknown][] = [];
    for (const [name, inner] of Object.entries(value)) {
      const treatment = this.#treatments.get(plainName(innermost(name)));
      if (treatment === "drop") continue;
      if (treatment === "hide") entries.push([name, "[redacted]"]);
      else if (treatment === "card" && typeof inner === "string" && isOnlyDigits(inner))
        entries.push([name, lastFour(inner)]);
      else if (treatment === "shorten" && typeof inner === "string")
        entries.push([name, this.text(inner.replaceAll(this.#parameter, shortened))]);
      else entries.push([treatment === undefined ? this.text(name) : name, this.#value(inner)]);
    }
    return Object.fromEntries(entries);
  }

  /** A card number may also come as a JSON number. */
  #number(value: number): number | string {
    if (Number.isInteger(value) && Math.abs(value) < 1e12) return value;
    const text = String(value);
    const redacted = this.text(text);
    return redacted === text ? value : redacted;
  }
}

/** A field's name in one way of writing it. */
function plainName(name: string): string {
  return name.replaceAll(/[_-]/g, "").toLowerCase();
}

function shortened(secret: string): string {
  return `${secret.slice(0, SHOWN)}…`;
}

/** Bytes that are not UTF-8 must not keep their neighbours from being read. */
function decode(text: string): string {
  return text
    .replaceAll(ESCAPED_AGAIN, "%")
    .replaceAll(/(?:%[\da-f]{2})+/gi, (escaped) =>
      utf8.decode(Uint8Array.from(escaped.slice(1).split("%"), (byte) => Number.parseInt(byte, 16))),
    );
}

/** The last name of a field that a form writes with brackets: `cvc` of `card[cvc]`. */
function innermost(name: string): string {
  return name.endsWith("]") ? name.slice(name.lastIndexOf("[") + 1, -1) : name;
}
