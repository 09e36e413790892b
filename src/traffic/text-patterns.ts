import { secrets } from "../service/secrets.ts";

export const URL_IN_TEXT = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'<>\\^`{|}]+/gi;
export const WHOLE_URL = /^[a-z][a-z\d+.-]{1,20}:\/\/\S+$/i;
export const FORM = /^[^\s=&?#:/{}"]{1,200}=[^\s&]*(?:&[^\s=&]{1,200}=[^\s&]*)*$/;
export const TIME = /^\d{4}-\d\d-\d\d(?:[T ][\d:.,]{4,20}(?:Z|[+-][\d:]{4,5})?)?$/;
export const CREDENTIALS = /\b(basic|bearer|token)(\s{1,8})([\w+/=.~-]{8,})/gi;
const QUOTE = String.raw`\\{0,8}["']|&quot;|&#34;|&#39;`;
/**
 * A name with a value, as code, forms, headers and logs write it. A value in quotes goes on to the quote that ends it; the quotes themselves
 * may be escaped once more.
 */
export const PAIR = new RegExp(
  [
    String.raw`(?<![\w.-])([\w.-]{2,64})((?:${QUOTE})?[ \t]{0,8}[=:][ \t]{0,8})`,
    String.raw`(?:(")([^"\\\r\n]*(?:\\.[^"\\\r\n]*)*)"|(${QUOTE})((?:(?!\5)[^\r\n])*)\5|((?:${QUOTE})?)([^\s"'&;,<>]+))`,
  ].join(""),
  "g",
);
/** A scheme of HTTP alone, or before what was redacted already. */
export const SCHEME = /^(?:basic|bearer)(?: redacted-[a-z]+-\d+)?$/i;
/** Of this service, and of others whose keys may be in the same requests. */
export const SHAPES = new RegExp(
  [
    ...Object.values(secrets.shapes ?? {}).map(({ source }) => source),
    String.raw`(?<![A-Za-z\d])(?:[srp]k|rt|whsec|csec)_(?:(?:live|test|prod|sandbox)_)?[A-Za-z\d]{12,}`,
    String.raw`(?<![A-Za-z\d])(?:AKIA[A-Z\d]{16}|AIza[\w-]{35}|gh[opsu]_[A-Za-z\d]{20,}|xox[a-z]-[\w-]{10,})`,
    String.raw`-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[\w+/=\s\\]*`,
  ].join("|"),
  "g",
);
/** A run of base64 or hex that is long enough for a signature. */
export const SIGNATURE = /[\w+/-]{20,}={0,2}/g;
/** Fields of an object that is secret as a whole, such as `token: { type, value, expires_in }`, which say nothing secret. */
export const HARMLESS_WITHIN =
  /^(?:[Tt]ype|scope|object|status|state|id|name|label|mode|environment|currency|amount|livemode)$|[_-](?:type|at|in|id)$|[a-z\d](?:Type|At|In|Id)$/;

/** Begins as JSON does. It may be cut, or several values in a row. */
export const JSON_BEGIN = /^\s*(?:[[{"]|-?\d[\d.eE+-]*\s*$)/;
/** A value in words, such as "is required", which says something of a secret and is none. */
export const SENTENCE = /^[\p{L}'’,.!-]+(?: [\p{L}'’,.!-]+)+$/u;
/** One word of a sentence. */
export const WORD = /^[a-z]{1,20}[.,!]?$/i;
