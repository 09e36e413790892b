/** What a secret is, as its stand-in calls it: `redacted-token-1`. */
export type SecretKind = "card" | "code" | "cookie" | "key" | "password" | "secret" | "signature" | "token";

/** Names of these ends say something of a token, and hold none. */
const SAYS_OF_SECRET =
  /(?:type|types|endpoint|url|uri|expiry|expires|expiresin|expiresat|expiration|lifetime|ttl|(?<!ac)count|limit|status|required|issuedat|createdat|updatedat|version|algorithm|scheme|name|methods?)$/;
/** They lead from page to page, tell repeated requests, or are for everybody. */
const NO_SECRET =
  /^x?(?:(?:next|previous|prev)(?:page|sync)?(?:token|cursor)|(?:page|pagination|continuation|sync)(?:token|cursor)|idempotency(?:token|key))$/;
/** How much of a name is read, at its beginning and at its end. */
const LONGEST_NAME = 100;

type Rule = readonly [kind: SecretKind, name: RegExp];

/** By the end or a part of a name without its separators. The first that fits counts. */
const rules: readonly Rule[] = [
  ["card", /^(?:card)?(?:cvc|cvv)2?$|securitycode$|verificationvalue$/],
  ["signature", /signature|hmac|^sig$/],
  ["password", /passw(?:or)?d|passphrase|^(?:pass|pwd|otp|pin)$/],
  ["secret", /secret|credential/],
  [
    "key",
    /apikey(?!id$)|(?:client|admin|private|access|merchant|auth|primary|secondary|signing|encryption|shared|subscription|publishable|webhook|master|functions)keys?$|^xkey$/,
  ],
  ["cookie", /cookie/],
  [
    "token",
    /token|jwt|^bearer|authorization|^assertion$|clientassertion|codeverifier|^(?:sid|sessid|phpsessid|jsessionid)$/,
  ],
];

/** Where a name stands. */
export type PlaceOfName = "body" | "address" | "header";

/** Names that are too plain for bodies, where they are ids, codes of errors and fields of forms. */
const furtherRules: Readonly<Record<PlaceOfName, readonly Rule[]>> = {
  body: [],
  address: [
    ["code", /^code$/],
    ["key", /^(?:key|appid)$/],
    ["token", /^(?:auth|session|ticket)$/],
  ],
  header: [
    ["password", /(?:^x?|api|app|auth|basic|user|client|merchant|shop|admin)(?:pass|pwd|otp|pin)$/],
    ["token", /^x?(?:auth|authentication|session|ticket|csrf|xsrf)(?:id|code)?$/],
  ],
};

/** Tells from names which values are secret. */
export class SecretNames {
  readonly #others: ReadonlySet<string>;

  /** @param others further names, in any spelling */
  constructor(others: readonly string[] = []) {
    this.#others = new Set(others.map(lettersAndDigits).filter((name) => name !== ""));
  }

  /** @returns undefined for a name whose value is no secret */
  kindOf(name: string, place: PlaceOfName = "body"): SecretKind | undefined {
    const kind = this.#kindOf(lastInBrackets(name.slice(-LONGEST_NAME)), place);
    return kind ?? (name.length > LONGEST_NAME ? this.#kindOf(name.slice(0, LONGEST_NAME), place) : undefined);
  }

  #kindOf(name: string, place: PlaceOfName): SecretKind | undefined {
    const plain = lettersAndDigits(name);
    if (this.#others.has(plain)) return "secret";
    if (SAYS_OF_SECRET.test(plain) || NO_SECRET.test(plain)) return undefined;
    return [...rules, ...furtherRules[place]].find(([, rule]) => rule.test(plain))?.[0];
  }
}

/** Returns a name without its case and its separators, whatever they are. */
function lettersAndDigits(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

/** The last name of a field that a form writes with brackets: `cvc` of `card[cvc]`. */
function lastInBrackets(name: string): string {
  return name.endsWith("]") ? name.slice(name.lastIndexOf("[") + 1, -1) : name;
}
