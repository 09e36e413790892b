import { sha256 } from "@noble/hashes/sha2.js";
import { hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { keepNewest } from "../../kit/engine/newest.ts";
import { toBase64 } from "../../kit/base/runtime/base64.ts";
import { es256 } from "./es256.ts";

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

/** Signs access tokens. The same seed and claims give the same token. */
export class AccessTokenSigner {
  readonly publicKey: PublicKey;
  readonly #secretKey: Uint8Array;
  readonly #tokens = new Map<string, string>();

  /** @param seed 48 random bytes, in hexadecimal digits */
  constructor(seed: string) {
    this.#secretKey = es256().utils.randomSecretKey(hexToBytes(seed));
    const point = es256().getPublicKey(this.#secretKey, false);
    const x = toBase64Url(point.slice(1, 33));
    const y = toBase64Url(point.slice(33));
    const kid = toBase64Url(sha256(utf8ToBytes(JSON.stringify({ crv: "P-256", kty: "EC", x, y }))));
    this.publicKey = { kty: "EC", crv: "P-256", x, y, kid, alg: "ES256", use: "sig" };
  }

  sign(claims: AccessTokenClaims): string {
    const header = { alg: "ES256", typ: "JWT", kid: this.publicKey.kid };
    const signed = [header, claims].map((part) => toBase64Url(utf8ToBytes(JSON.stringify(part)))).join(".");
    const token =
      this.#tokens.get(signed) ?? `${signed}.${toBase64Url(es256().sign(utf8ToBytes(signed), this.#secretKey))}`;
    keepNewest(this.#tokens.set(signed, token), MOST_TOKENS);
    return token;
  }
}

const MOST_SIGNERS = 20;
const MOST_TOKENS = 100;

/** A key and a signature take milliseconds each, and the worlds of most tests share a seed. */
const signers = new Map<string, AccessTokenSigner>();

/**
 * Returns the signer of a world.
 * @param seed 48 random bytes, in hexadecimal digits
 */
export function signerOf(seed: string): AccessTokenSigner {
  const signer = signers.get(seed) ?? new AccessTokenSigner(seed);
  keepNewest(signers.set(seed, signer), MOST_SIGNERS);
  return signer;
}

function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
