import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { keepNewest } from "../../engine/newest.ts";
import { publicKeyOf, secretKeyOf, sign } from "./es256.ts";

/** The claims of an access token, in whole virtual seconds (`auth.jwt`). */
export interface AccessTokenClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
}

/** The public key that verifies access tokens (RFC 7517), with its RFC 7638 thumbprint as `kid`. */
export interface PublicKey {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly kid: string;
  readonly alg: "ES256";
  readonly use: "sig";
}

/** How many keys, and tokens of one key, are remembered. */
const MOST_REMEMBERED = 500;
const signers = new Map<string, AccessTokenSigner>();

/**
 * Signs access tokens with ES256. Nonces follow RFC 6979, so that the same seed gives the same signatures.
 * A key or a signature takes a millisecond, so worlds with the same seed share them, and keys are computed on first use.
 */
export class AccessTokenSigner {
  readonly #secretKey: bigint;
  readonly #tokens = new Map<string, string>();
  #publicKey: PublicKey | undefined;

  private constructor(secretKey: bigint) {
    this.#secretKey = secretKey;
  }

  /** @param seed random bytes, in hexadecimal digits */
  static of(seed: string): AccessTokenSigner {
    const signer = signers.get(seed) ?? new AccessTokenSigner(secretKeyOf(seed));
    signers.set(seed, signer);
    keepNewest(signers, MOST_REMEMBERED);
    return signer;
  }

  sign(claims: AccessTokenClaims): string {
    const content = JSON.stringify(claims);
    const token = this.#tokens.get(content) ?? this.#signed(content);
    this.#tokens.set(content, token);
    keepNewest(this.#tokens, MOST_REMEMBERED);
    return token;
  }

  #signed(content: string): string {
    const header = { alg: "ES256", typ: "JWT", kid: this.publicKey.kid };
    const signed = `${toBase64Url(utf8ToBytes(JSON.stringify(header)))}.${toBase64Url(utf8ToBytes(content))}`;
    return `${signed}.${toBase64Url(sign(utf8ToBytes(signed), this.#secretKey))}`;
  }

  get publicKey(): PublicKey {
    if (this.#publicKey === undefined) {
      const point = publicKeyOf(this.#secretKey);
      const x = toBase64Url(point.x);
      const y = toBase64Url(point.y);
      const kid = toBase64Url(sha256(utf8ToBytes(JSON.stringify({ crv: "P-256", kty: "EC", x, y }))));
      this.#publicKey = { kty: "EC", crv: "P-256", x, y, kid, alg: "ES256", use: "sig" };
    }
    return this.#publicKey;
  }
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/(?<!=)=+$/, "");
}
