const SHORTEST = 13;
const LONGEST = 19;
/** What may stand between two digits of a card number: anything but letters and digits, seen or not. */
const SEPARATORS = String.raw`[^\p{L}\p{N}]{0,8}`;
/**
 * Digits of any script, as people, forms and code write card numbers; before them, a moment or an address with its port, whose digits
 * belong to no card.
 */
const DIGITS = new RegExp(
  String.raw`(?<!\p{N}\.?)(?:(?:19|20)\d\d-[01]\d-[0-3]\d[ T][0-2]\d:[0-5]\d(?::[0-5]\d(?:\.\d{3})?)?` +
    String.raw`|(?:1?\d?\d|2[01]\d|22[0-3])(?:\.(?:1?\d?\d|2[0-4]\d|25[0-5])){3}(?::\d{1,5})?)(?!${SEPARATORS}\p{N})` +
    String.raw`|(\p{Nd}(?:${SEPARATORS}\p{Nd}){12,})`,
  "gu",
);
/** Most texts do not have this, and looking for it alone takes half as long. */
const ENOUGH_DIGITS = new RegExp(String.raw`\p{Nd}(?:${SEPARATORS}\p{Nd}){12}`, "u");
const ONLY_DIGITS = new RegExp(String.raw`^${SEPARATORS}(?:\p{Nd}${SEPARATORS}){12,}$`, "u");
/** Every expression here, for the test of their worst cases. */
export const CARD_NUMBERS: readonly RegExp[] = [DIGITS, ENOUGH_DIGITS, ONLY_DIGITS];
const DIGIT = /\p{Nd}/u;
const ZERO = 48;

/** Whether a card number's last digit is the check digit of the others (Luhn, ISO/IEC 7812). */
export function passesLuhn(number: string): boolean {
  const digits = number.replaceAll(/[ -]/g, "");
  if (!/^\d{13,19}$/.test(digits)) return false;
  return new LuhnSums(digits).pass(0, digits.length);
}

/** A card number as it may be shown. */
export function lastFour(number: string): string {
  return `•••• ${digitsOf(number).slice(-4)}`;
}

/**
 * Writes a text with each card number in it cut down to its last four digits. A card number among further digits, such as an expiry date
 * and a CVC, takes all of them with it. Numbers that no card network issues stay, so that a time in milliseconds can be read.
 */
export function maskCardNumbers(text: string): string {
  return replaceCardNumbers(text, (digits, isWhole) => (isWhole ? lastFour(digits) : "[redacted]"));
}

/**
 * Writes a text with something else in place of each card number.
 * @param replace gets the digits, and whether they are a card number alone
 */
export function replaceCardNumbers(text: string, replace: (digits: string, isWhole: boolean) => string): string {
  if (!ENOUGH_DIGITS.test(text)) return text;
  return text.replaceAll(DIGITS, (known: string, run?: string) => {
    if (run === undefined) return known;
    const digits = digitsOf(run);
    const sums = new LuhnSums(digits);
    if (isCardNumber(digits, sums, 0, digits.length)) return replace(digits, true);
    return holdsCardNumber(digits, sums) ? replace(digits, false) : run;
  });
}

/** Whether a list is a card number in parts: its groups, or its digits. */
export function isCardNumberInParts(parts: readonly unknown[]): boolean {
  if (parts.length < 2 || parts.length > LONGEST) return false;
  const text = parts.map((part) => (typeof part === "number" || typeof part === "string" ? part : "x")).join(" ");
  return isOnlyDigits(text) && maskCardNumbers(text).startsWith("•");
}

/** Whether a text is nothing but digits, enough for a card number, and what stands between them. */
export function isOnlyDigits(text: string): boolean {
  return ONLY_DIGITS.test(text);
}

/** The digits of a text, as ASCII writes them. Unicode has each script's ten digits one after the other, from zero on. */
function digitsOf(text: string): string {
  return text.replaceAll(/[^0-9]/gu, (character) => {
    if (!DIGIT.test(character)) return "";
    const code = character.codePointAt(0) ?? 0;
    let zero = code;
    while (DIGIT.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });
}

function isCardNumber(digits: string, sums: LuhnSums, start: number, length: number): boolean {
  const first = digits.charCodeAt(start) - ZERO;
  return first >= 2 && first <= 6 && length >= SHORTEST && length <= LONGEST && sums.pass(start, length);
}

function holdsCardNumber(digits: string, sums: LuhnSums): boolean {
  for (let start = 0; start + SHORTEST <= digits.length; start += 1) {
    const most = Math.min(LONGEST, digits.length - start);
    for (let length = SHORTEST; length <= most; length += 1) if (isCardNumber(digits, sums, start, length)) return true;
  }
  return false;
}

/**
 * The Luhn sums of every part of a run of digits, from sums over its beginnings: a run may be as long as a body, and adding up each part
 * anew would take a hundred times as long.
 */
class LuhnSums {
  /** Sums over the beginnings of the run, with every digit at an even or at an odd place doubled. */
  readonly #evenDoubled: Uint32Array;
  readonly #oddDoubled: Uint32Array;

  constructor(digits: string) {
    this.#evenDoubled = new Uint32Array(digits.length + 1);
    this.#oddDoubled = new Uint32Array(digits.length + 1);
    for (let index = 0; index < digits.length; index += 1) {
      const digit = digits.charCodeAt(index) - ZERO;
      const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
      const isEven = index % 2 === 0;
      this.#evenDoubled[index + 1] = (this.#evenDoubled[index] ?? 0) + (isEven ? doubled : digit);
      this.#oddDoubled[index + 1] = (this.#oddDoubled[index] ?? 0) + (isEven ? digit : doubled);
    }
  }

  /** Whether the part of this start and length ends with its check digit. */
  pass(start: number, length: number): boolean {
    const end = start + length;
    // Every second digit from the right is doubled, and the last one is not.
    const sums = end % 2 === 0 ? this.#evenDoubled : this.#oddDoubled;
    return ((sums[end] ?? 0) - (sums[start] ?? 0)) % 10 === 0;
  }
}
