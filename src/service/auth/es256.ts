import { weierstrass } from "@noble/curves/abstract/weierstrass.js";
import { bytesToNumberBE, createHmacDrbg } from "@noble/curves/utils.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes } from "@noble/hashes/utils.js";
import { once } from "../../runtime/once.ts";

/**
 * P-256 (SP 800-186). `@noble/curves/nist.js` has ECDSA on it too, with verification, DER, key agreement and two more curves. A bundler
 * cannot leave those out, and they take as much room as the curve.
 */
const PARAMETERS = {
  p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
  n: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  h: 1n,
  a: 0xffffffff00000001000000000000000000000000fffffffffffffffffffffffcn,
  b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  Gx: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  Gy: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};

/** Its tables take as long as a tenth of the import of all of Centavo. */
const curve = once(() => weierstrass(PARAMETERS));

/** Makes a secret key from at least 48 random bytes in hexadecimal digits (FIPS 186-5, A.2.1). */
export function secretKeyOf(seed: string): bigint {
  return (BigInt(`0x${seed}`) % (PARAMETERS.n - 1n)) + 1n;
}

/** Returns the public key of a secret key, each coordinate in 32 bytes. */
export function publicKeyOf(secretKey: bigint): { readonly x: Uint8Array; readonly y: Uint8Array } {
  const point = curve().BASE.multiply(secretKey).toBytes(false);
  return { x: point.slice(1, 33), y: point.slice(33) };
}

/** Signs with ECDSA and SHA-256 (FIPS 186-5). The nonce follows RFC 6979, so the same message gets the same signature: r and the lower s. */
export function sign(message: Uint8Array, secretKey: bigint): Uint8Array {
  const { BASE, Fn } = curve();
  const hash = Fn.create(bytesToNumberBE(sha256(message)));
  const firstOf = createHmacDrbg<Uint8Array>(sha256.outputLen, Fn.BYTES, hmacSha256);
  return firstOf(concatBytes(Fn.toBytes(secretKey), Fn.toBytes(hash)), (bytes) => {
    const nonce = bytesToNumberBE(bytes);
    if (!Fn.isValidNot0(nonce)) return undefined;
    const r = Fn.create(BASE.multiply(nonce).x);
    const s = Fn.mul(Fn.inv(nonce), hash + Fn.mul(r, secretKey));
    if (r === 0n || s === 0n) return undefined;
    return concatBytes(Fn.toBytes(r), Fn.toBytes(s > Fn.ORDER / 2n ? Fn.neg(s) : s));
  });
}

function hmacSha256(key: Uint8Array, message: Uint8Array): Uint8Array {
  return hmac(sha256, key, message);
}
