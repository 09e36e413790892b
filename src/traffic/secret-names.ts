/** What a secret is, as its stand-in calls it: `redacted-token-1`. */
export type SecretKind = "card" | "code" | "cookie" | "key" | "password" | "secret" | "signature" | "token";

/** Names of these ends say something of a token, and hold none. Those of pages are no secrets. */
const HARMLESS =
  /(?:type|types|endpoint|url|uri|expiry|expires|expiresin|expiresat|expiration|lifetime|ttl|count|limit|status|required|issuedat|createdat|updatedat|version|algorithm|scheme|name|methods?)$|^(?:next|previous|prev|page|continuation|sync|idempotency|public|partition|sort|primary|foreign)\w*(?:token|key|cursor)$/;

type Rule = readonly [kind: SecretKind, name: RegExp];

/** By the end or a part of a name without its separators. The first that fits counts. */
const rules: readonly Rule[] = [
  ["card", /^(?:card)?(?:cvc|cvv)2?$|securitycode$|verificationvalue$/],
  ["signature", /signature|hmac|^sig$/],
  ["password", /passw(?:or)?d|passphrase|^(?:pass|pwd|otp|pin)$/],
  ["secret", /secret|credential/],
  [
    "key",
    /(?:api|client|admin|private|access|merchant|auth|signing|encryption|shared|subscription|publishable|webhook|master|functions)keys?$|^xkey$/,
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
    this.#others = new Set(others.map(plainName));
  }

  /** @returns undefined for a name whose value is no secret */
  kindOf(name: string, place: PlaceOfName = "body"): SecretKind | undefined {
    if (name.length > 100) return undefined;
    const plain = plainName(innermost(name));
    if (this.#others.has(plain)) return "secret";
    if (HARMLESS.test(plain)) return undefined;
    return [...rules, ...furtherRules[place]].find(([, rule]) => rule.test(plain))?.[0];
  }
}

/** Case, hyphens, underscores and dots do not count. */
function plainName(name: string): string {
  return name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

/** The last name of a field that a form writes with brackets: `cvc` of `card[cvc]`. */
function innermost(name: string): string {
  return name.endsWith("]") ? name.slice(name.lastIndexOf("[") + 1, -1) : name;
}
