/** What stands in a recording in place of any secret. */
const REDACTED = /\[redacted\]|••••/;
/** What stands in a recording in place of one secret, wherever it appears. */
const STAND_IN = /^redacted-[a-z]+-\d+$/;
/** Ids, session tokens and access tokens in the form that a world of Centavo gives them (`intent.ids`, `auth.secrets`, `auth.jwt`). */
const OWN =
  /^(?:[a-z]+_(?:fake_)?[A-Za-z0-9]{20,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|eyJ[\w-]+\.[\w-]+\.[\w-]+)$/;
/** What may be a name within a text: an id, a token. */
const WORD = /[\w-]+(?:\.[\w-]+)*…?/g;
const WEB = /^https?:\/\//;
/** A text of the real service that may be an id: one word. */
const MAY_BE_NAME = /^[^\s]{4,}$/;

/** The ids and tokens of the real service, and those of the world that plays its recording, as both appear. */
export class Names {
  readonly #toWorld: Map<string, string>;
  readonly #toRecorded: Map<string, string>;

  constructor(pairs: Iterable<readonly [recorded: string, own: string]> = []) {
    this.#toWorld = new Map(pairs);
    this.#toRecorded = new Map([...this.#toWorld].map(([recorded, own]) => [own, recorded]));
  }

  copy(): Names {
    return new Names(this.#toWorld);
  }

  /** Whether a text is a name that the world made up: of a resource, a token or an address of its own. */
  isOwn(text: string): boolean {
    return this.#toRecorded.has(text) || OWN.test(text);
  }

  /** Returns the world's name for a recorded one. */
  worldOf(recorded: string): string | undefined {
    return this.#toWorld.get(recorded);
  }

  /** Returns the recorded name for one of the world. */
  recordedOf(own: string): string | undefined {
    return this.#toRecorded.get(own);
  }

  /** Whether a recorded text can stand for a name of the world. Remembers the pair if both are new. */
  pair(recorded: string, own: string): boolean {
    const known = this.#toWorld.get(recorded);
    if (known !== undefined) return known === own;
    if (this.#toRecorded.has(own)) return false;
    if (!MAY_BE_NAME.test(recorded)) return false;
    this.#toWorld.set(recorded, own);
    this.#toRecorded.set(own, recorded);
    return true;
  }

  /** Whether a pair contradicts nothing that is known. */
  mayPair(recorded: string, own: string): boolean {
    const known = this.#toWorld.get(recorded);
    return known === undefined ? !this.#toRecorded.has(own) && MAY_BE_NAME.test(recorded) : known === own;
  }

  /** Returns a recorded text with the world's names in it. */
  translate(text: string): string {
    return text.replaceAll(WORD, (word) => this.#toWorld.get(word) ?? word);
  }

  /** Returns the world's names of which a recorded text speaks. */
  namesIn(text: string): readonly string[] {
    const names = [...text.matchAll(WORD)].map(([word]) => this.#toWorld.get(word));
    return names.filter((name) => name !== undefined);
  }
}

/** Whether a recording hides what a text said. */
export function isHidden(text: string): boolean {
  return REDACTED.test(text);
}

/** Whether a text stands in for a secret, wherever that appears. */
export function isStandIn(text: string): boolean {
  return STAND_IN.test(text);
}

/** Whether a text is a web address. */
export function isAddress(text: string): boolean {
  return WEB.test(text);
}
