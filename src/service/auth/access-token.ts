import { sha256 } from "@noble/hashes/sha2.js";
import { utf8ToBytes } from "@noble/hashes/utils.js";
import { keepNewest } from "../../kit/engine/newest.ts";
import { toBase64 } from "../../kit/base/runtime/base64.ts";
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

/** How many tokens are remembered. */
const MOST_REMEMBERED = 500;
const tokens = new Map<string, string>();

/**
 * Signs access tokens with ES256. Nonces follow RFC 6979, so that the same seed gives the same signatures. A signature takes as long as the
 * beginning of a world, so worlds with the same seed share them.
 */
export class AccessTokenSigner {
  readonly publicKey: PublicKey;
  readonly #secretKey: bigint;

  /** @param seed random bytes, in hexadecimal digits */
  constructor(seed: string) {
    this.#secretKey = secretKeyOf(seed);
    const point = publicKeyOf(this.#secretKey);
    const x = toBase64Url(point.x);
    const y = toBase64Url(point.y);
    const kid = toBase64Url(sha256(utf8ToBytes(JSON.stringify({ crv: "P-256", kty: "EC", x, y }))));
    this.publicKey = { kty: "EC", crv: "P-256", x, y, kid, alg: "ES256", use: "sig" };
  }

  sign(claims: AccessTokenClaims): string {
    const header = { alg: "ES256", typ: "JWT", kid: this.publicKey.kid };
    const signed = [header, claims].map((part) => toBase64Url(utf8ToBytes(JSON.stringify(part)))).join(".");
    const token = tokens.get(signed) ?? `${signed}.${toBase64Url(sign(utf8ToBytes(signed), this.#secretKey))}`;
    keepNewest(tokens.set(signed, token), MOST_REMEMBERED);
    return token;
  }
}

function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
