import { PrefixTree } from "./prefix-tree.ts";
import type { SecretKind } from "./secret-names.ts";

const STAND_IN = /^redacted-[a-z]+-\d+$/;
/** A shorter text may stand in other places for something else. */
const SHORTEST_SOUGHT = 8;
/** A shorter secret counts in other places only between separators. */
const SHORTEST_ANYWHERE = 16;
const BEGINS_WITH_TIME = /^\d{4}-\d\d-\d\d[T ]/;
/** How many bits of an index say whether a secret may begin with three characters. */
const BEGINNINGS = 1 << 16;

/**
 * What is written in place of each secret: the same for the same secret, so that a reader of the file can still tell which token was used
 * where. A secret that was met once is found in any other place.
 */
export class StandIns {
  readonly #bySecret = new Map<string, string>();
  readonly #counts = new Map<SecretKind, number>();
  /** The secrets that are sought in other places, in each form in which they may stand there. */
  readonly #sought = new PrefixTree();
  readonly #beginnings = new Uint8Array(BEGINNINGS);

  /** How many secrets are sought by now. */
  get size(): number {
    return this.#bySecret.size;
  }

  /** Returns what stands in for a secret. A stand-in stays as it is. */
  of(kind: SecretKind, secret: string): string {
    if (secret === "" || STAND_IN.test(secret)) return secret;
    const known = this.#bySecret.get(secret);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    const standIn = `redacted-${kind}-${count}`;
    this.#bySecret.set(secret, standIn);
    if (isTelling(secret)) this.#seek(secret);
    return standIn;
  }

  /** Returns a text with its stand-in in place of each secret that was met before. */
  hide(text: string): string {
    if (text.length < SHORTEST_SOUGHT) return text;
    let hidden = "";
    let copied = 0;
    for (let index = 0; index <= text.length - SHORTEST_SOUGHT; index += 1) {
      if (this.#beginnings[beginningAt(text, index)] === 0) continue;
      const found = this.#sought.findAt(text, index, (length) => standsAlone(text, index, length));
      if (found === undefined) continue;
      hidden += text.slice(copied, index) + found.value;
      copied = index + found.length;
      index = copied - 1;
    }
    return copied === 0 ? text : hidden + text.slice(copied);
  }

  #seek(secret: string): void {
    const forms = new Set([
      secret,
      encoded(secret),
      JSON.stringify(secret).slice(1, -1),
      new URLSearchParams([["", secret]]).toString().slice(1),
    ]);
    const standIn = this.#bySecret.get(secret) ?? "";
    for (const form of forms) {
      if (!this.#bySecret.has(form)) this.#bySecret.set(form, standIn);
      this.#sought.add(form, standIn);
      this.#beginnings[beginningAt(form, 0)] = 1;
    }
  }
}

/** Whether a secret can be told from other values: a word or a number may stand elsewhere for something else. */
function isTelling(secret: string): boolean {
  if (secret.length < SHORTEST_SOUGHT || BEGINS_WITH_TIME.test(secret)) return false;
  return secret.length >= SHORTEST_ANYWHERE || (/\d/.test(secret) && /\p{L}/u.test(secret));
}

/** A lone surrogate has no code in a URL. */
function encoded(secret: string): string {
  return encodeURIComponent(secret.toWellFormed());
}

function standsAlone(text: string, start: number, length: number): boolean {
  if (length >= SHORTEST_ANYWHERE) return true;
  return !isWordCharacter(text.charCodeAt(start - 1)) && !isWordCharacter(text.charCodeAt(start + length));
}

/** False beyond the ends of the text, where the code is not a number. */
function isWordCharacter(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

function beginningAt(text: string, index: number): number {
  const mixed = text.charCodeAt(index) * 31 * 31 + text.charCodeAt(index + 1) * 31 + text.charCodeAt(index + 2);
  return mixed % BEGINNINGS;
}
