import { replaceCardNumbers } from "../kit/base/redaction/card-number.ts";
import { TOKEN as JWT } from "../kit/base/redaction/redaction.ts";
import type { Exchange, Header } from "./exchange.ts";
import { redactCredentials } from "./redact-credentials.ts";
import { redactJson } from "./redact-json.ts";
import type { JsonParts } from "./redact-json.ts";
import { redactParts } from "./redact-parts.ts";
import { SecretNames } from "./secret-names.ts";
import type { PlaceOfName, SecretKind } from "./secret-names.ts";
import { StandIns } from "./stand-ins.ts";
import * as patterns from "./text-patterns.ts";

/** How often a text within a text is read: JSON in a string of JSON, a URL in a parameter of a URL. What lies deeper is secret as a whole. */
const DEEPEST = 4;
/** The code of an error is shorter, or words. */
const AUTHORIZATION_CODE = /^(?=.*\d).{16}/s;
/** In digits. A longer number under the name of a secret is more than a count or a time to live. */
const LONGEST_COUNT = 6;
/** Cookies and passwords may be words. */
const MAY_BE_WORDS: ReadonlySet<SecretKind> = new Set(["card", "cookie", "password"]);

/**
 * Takes secrets and card numbers out of recorded traffic, before it is written. Each is replaced by a stand-in, such as `redacted-token-1`,
 * which is the same wherever the secret stands, so that it still shows which token was used where. Ids, times, amounts and shapes stay.
 */
export class TrafficRedaction {
  readonly #names: SecretNames;
  readonly #standIns = new StandIns();

  /** @param names further headers and fields whose values are secret */
  constructor(names: readonly string[] = []) {
    this.#names = new SecretNames(names);
  }

  /** How many secrets it has met. When it grows, `again` may find more in what it has redacted before. */
  get met(): number {
    return this.#standIns.size;
  }

  /** Returns an exchange without its secrets. */
  exchange(exchange: Exchange): Exchange {
    const { request, answer } = exchange;
    const redacted = {
      ...exchange,
      request: { ...request, url: this.url(request.url), ...this.#message(request) },
      ...(answer !== undefined && { answer: { ...answer, ...this.#message(answer) } }),
    };
    return this.again(redacted);
  }

  /** Returns a redacted exchange without the secrets that were met since, in other places. */
  again(exchange: Exchange): Exchange {
    const hide = (text: string): string => this.#standIns.hide(text);
    const message = ({ headers, body }: Message): Message => ({
      headers: headers.map(([name, value]): Header => [name, hide(value)]),
      ...(body !== undefined && { body: hide(body) }),
    });
    const { request, answer } = exchange;
    return {
      ...exchange,
      request: { ...request, url: hide(request.url), ...message(request) },
      ...(answer !== undefined && { answer: { ...answer, ...message(answer) } }),
    };
  }

  /** Returns a URL without what is secret in its credentials, its path, its query and its fragment. */
  url(url: string, depth = 0): string {
    const parts = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url);
    if (parts === null) return this.#plain(url);
    const [, place = "", query = "", fragment = ""] = parts;
    const [, scheme = "", userinfo, rest = place] = /^([a-z][\w+.-]*:\/\/)(?:([^/@]*)@)?(.*)$/is.exec(place) ?? [];
    const credentials = userinfo === undefined ? "" : `${this.#userinfo(userinfo)}@`;
    const path = rest
      .split("/")
      .map((segment) => this.#segment(segment))
      .join("/");
    return `${scheme}${credentials}${path}${this.#query(query, depth)}${this.#query(fragment, depth)}`;
  }

  /** Returns the value of a header without what is secret in it. */
  header(name: string, value: string): string {
    switch (name.toLowerCase()) {
      case "authorization":
      case "proxy-authorization":
        return redactCredentials(value, this.#of);
      case "cookie":
        return value
          .split(";")
          .map((pair) => this.#cookie(pair))
          .join(";");
      case "set-cookie": {
        const [pair = "", ...attributes] = value.split(";");
        return [this.#cookie(pair), ...attributes].join(";");
      }
      default:
        return this.#named(name, value, this.#names.kindOf(name, "header")) ?? this.#text(value, 0);
    }
  }

  /**
   * Returns a body without what is secret in it: JSON at any depth, forms, multipart forms, XML, and any other text.
   * @param type its media type
   */
  body(body: string, type = ""): string {
    if (/\burlencoded\b/i.test(type)) return this.#parameters(body, 0);
    const redacted = redactParts(body, type, this.#jsonParts(0));
    if (redacted === undefined) return this.#text(body, 0);
    // Attributes of elements hold URLs and tokens, too.
    return /^\s*multipart\b/i.test(type) ? redacted : this.#sentences(redacted, 0);
  }

  readonly #of = (kind: SecretKind, secret: string): string => this.#standIns.of(kind, secret);

  #message({ headers, body }: Message): Message {
    const type = headers.find(([name]) => name === "content-type")?.[1];
    return {
      headers: headers.map(([name, value]): Header => [name, this.header(name, value)]),
      ...(body !== undefined && { body: this.body(body, type) }),
    };
  }

  #cookie(pair: string): string {
    const [name = "", ...content] = pair.split("=");
    return content.length === 0 ? this.#of("cookie", pair.trim()) : `${name}=${this.#of("cookie", content.join("="))}`;
  }

  /** Returns undefined for a value that its name does not make secret. */
  #named(name: string, value: string, kind: SecretKind | undefined): string | undefined {
    if (kind === undefined || (kind === "code" && !AUTHORIZATION_CODE.test(value))) return undefined;
    if (/^(?:true|false|null)?$/.test(value)) return value;
    if (!MAY_BE_WORDS.has(kind) && patterns.SENTENCE.test(value)) return undefined;
    if (kind === "signature" && value.search(patterns.SIGNATURE) >= 0)
      return value.replaceAll(patterns.SIGNATURE, (signature) => this.#of("signature", signature));
    // Its scheme is no secret.
    if (/(?:authoriz|authentic)ation$/i.test(name)) return redactCredentials(value, this.#of);
    return this.#of(kind, value);
  }

  #value(name: string, value: string, depth: number, place?: PlaceOfName): string {
    return this.#named(name, value, this.#names.kindOf(name, place)) ?? this.#text(value, depth);
  }

  /** Text of any kind. */
  #text(text: string, depth: number): string {
    if (patterns.TIME.test(text)) return text;
    if (depth >= DEEPEST) return this.#of("secret", text);
    if (patterns.JSON_BEGIN.test(text)) {
      const redacted = redactJson(text, this.#jsonParts(depth));
      return isJson(text) ? redacted : this.#sentences(redacted, depth);
    }
    if (patterns.WHOLE_URL.test(text)) return this.url(text, depth);
    return patterns.FORM.test(text) ? this.#parameters(text, depth) : this.#sentences(text, depth);
  }

  /** Finds URLs, credentials and pairs of names and values in a text. */
  #sentences(text: string, depth: number): string {
    const redacted = text
      .replaceAll(patterns.URL_IN_TEXT, (url) => this.url(url, depth))
      .replaceAll(patterns.CREDENTIALS, (all, scheme: string, space: string, credentials: string) =>
        patterns.WORD.test(credentials) ? all : scheme + space + this.#credentials(scheme, credentials),
      )
      .replaceAll(patterns.PAIR, this.#pair);
    return this.#encodedText(redacted, (plain) => this.#plain(plain));
  }

  /** In the value of a name that is not secret may stand others, in other quotes. */
  readonly #pair = (...match: (string | undefined)[]): string => {
    const [all = "", name = "", between = "", plainQuote, inQuotes, otherQuote, inOthers, unclosed = "", bare] = match;
    const quote = plainQuote ?? otherQuote ?? "";
    const value = inQuotes ?? inOthers ?? bare ?? "";
    const kind = this.#names.kindOf(name);
    if (patterns.SCHEME.test(value)) return all;
    if (quote === "" && between.includes(":") && patterns.WORD.test(value) && kind !== "password") return all;
    const hidden =
      this.#named(name, value, kind) ?? (quote === "" ? value : value.replaceAll(patterns.PAIR, this.#pair));
    return `${name}${between}${quote}${unclosed}${hidden}${quote}`;
  };

  #credentials(scheme: string, credentials: string): string {
    return redactCredentials(`${scheme} ${credentials}`, this.#of).slice(scheme.length + 1);
  }

  /** What is secret by its shape alone, in whatever text. */
  #plain(text: string): string {
    const redacted = text
      .replaceAll(JWT, (token) => this.#of("token", token))
      .replaceAll(patterns.SHAPES, (secret) => this.#of("secret", secret));
    const hidden = this.#standIns.hide(redacted);
    return patterns.TIME.test(hidden) ? hidden : replaceCardNumbers(hidden, (digits) => this.#of("card", digits));
  }

  /** Redacts what percent-encoding hides. A text without secrets stays as it was written. */
  #encodedText(text: string, redact: (text: string) => string): string {
    const decoded = text.includes("%") ? decodedOnce(decodedOnce(text)) : text;
    if (decoded === text) return redact(text);
    const redacted = redact(decoded);
    return redacted === decoded ? redact(text) : encodeURIComponent(redacted.toWellFormed());
  }

  /** A segment of a path, which may have parameters of its own. */
  #segment(segment: string): string {
    const redacted = segment.replaceAll(
      /;(\w{2,64})=([^;]*)/g,
      (_, name: string, value: string) => `;${name}=${this.#value(name, value, 1, "address")}`,
    );
    return this.#encodedText(redacted, (text) => this.#plain(text));
  }

  #userinfo(userinfo: string): string {
    const [user = "", ...password] = userinfo.split(":");
    if (password.length === 0) return this.#of("secret", decodedOnce(user));
    return `${this.#plain(user)}:${this.#of("password", decodedOnce(password.join(":")))}`;
  }

  /** A query or a fragment, with the character that begins it. */
  #query(query: string, depth: number): string {
    if (query === "") return "";
    const begin = query.slice(0, 1);
    const inner = query.slice(1);
    return (
      begin +
      (inner.includes("=") ? this.#parameters(inner, depth) : this.#encodedText(inner, (text) => this.#plain(text)))
    );
  }

  /** The parameters of a query or of a form. Only those that change are written anew. */
  #parameters(form: string, depth: number): string {
    return form
      .split("&")
      .map((parameter) => {
        const end = parameter.indexOf("=");
        if (end < 0) return this.#encodedText(parameter, (text) => this.#plain(text));
        const name = formDecoded(parameter.slice(0, end));
        const value = formDecoded(parameter.slice(end + 1));
        const redacted = this.#value(name, value, depth + 1, "address");
        const shownName = this.#plain(name);
        const before = shownName === name ? parameter.slice(0, end) : encodeURIComponent(shownName.toWellFormed());
        return redacted === value
          ? `${before}${parameter.slice(end)}`
          : `${before}=${encodeURIComponent(redacted.toWellFormed())}`;
      })
      .join("&");
  }

  #jsonParts(depth: number): JsonParts {
    return {
      cardInParts: "redacted",
      isSecret: (name) => this.#names.kindOf(name) !== undefined,
      name: (name) => this.#plain(name),
      text: (text, secretName, name) => {
        const isHarmless = secretName !== name && name !== undefined && patterns.HARMLESS_WITHIN.test(name);
        if (secretName === undefined || isHarmless) return this.#text(text, depth + 1);
        return this.#value(secretName, text, depth + 1);
      },
      number: (written, secretName) => this.#number(written, secretName),
    };
  }

  /** A number stays a number. */
  #number(written: string, secretName: string | undefined): string {
    const kind = secretName === undefined ? undefined : this.#names.kindOf(secretName);
    if (kind === "card" || kind === "password" || (kind !== undefined && written.length > LONGEST_COUNT)) return "0";
    const isCard = integersOf(written).some(
      (integer) => replaceCardNumbers(integer, (digits, isWhole) => (isWhole ? "" : digits)) === "",
    );
    return isCard ? "0" : written;
  }
}

type Message = Pick<Exchange["request"], "headers" | "body">;

function decodedOnce(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // One wrong escape must not keep the others from being read.
    return text.replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  }
}

function formDecoded(text: string): string {
  return decodedOnce(text.replaceAll("+", " "));
}

/** The digits of a number before its fraction, as it is written and as it is read: JSON may write `4.2e3`, `-4200` or `4200.0`. */
function integersOf(written: string): readonly string[] {
  return [/\d+/.exec(written)?.[0] ?? "", String(Math.trunc(Math.abs(Number(written))))];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
