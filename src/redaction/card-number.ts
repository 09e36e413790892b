const SHORTEST = 13;
const LONGEST = 19;
/** Digits with at most two separators between them, as people and forms write card numbers. */
const DIGITS = /\d(?:[\s.+_/-]{0,2}\d){12,}/g;

/** Whether a card number's last digit is the check digit of the others (Luhn, ISO/IEC 7812). */
export function passesLuhn(number: string): boolean {
  const digits = number.replaceAll(/[ -]/g, "");
  if (!/^\d{13,19}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** A card number as it may be shown. */
export function lastFour(number: string): string {
  return `•••• ${number.replaceAll(/\D/g, "").slice(-4)}`;
}

/**
 * Writes a text with each card number in it cut down to its last four digits. Where one stands among further digits, such as an
 * expiry date and a CVC, all of them go. Numbers that no card network gives out stay, so that a time in milliseconds can be read.
 */
export function maskCardNumbers(text: string): string {
  return text.replaceAll(DIGITS, (run) => {
    const digits = run.replaceAll(/\D/g, "");
    if (isCardNumber(digits)) return lastFour(digits);
    return holdsCardNumber(digits) ? "[redacted]" : run;
  });
}

function isCardNumber(digits: string): boolean {
  return /^[2-6]/.test(digits) && passesLuhn(digits);
}

function holdsCardNumber(digits: string): boolean {
  for (let start = 0; start + SHORTEST <= digits.length; start += 1) {
    for (let length = SHORTEST; length <= LONGEST && start + length <= digits.length; length += 1) {
      if (isCardNumber(digits.slice(start, start + length))) return true;
    }
  }
  return false;
}
