import { invert } from "@noble/curves/abstract/modular.js";
import { bytesToNumberBE, createHmacDrbg, numberToBytesBE } from "@noble/curves/utils.js";
import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { concatBytes, hexToBytes } from "@noble/hashes/utils.js";
import { P256, timesBasePoint } from "../../kit/base/runtime/p256.ts";

/** The order of the base point. */
const { n } = P256;

/** Makes a secret key from at least 48 random bytes in hexadecimal digits (FIPS 186-5, A.2.1). */
export function secretKeyOf(seed: string): bigint {
  return (BigInt(`0x${seed}`) % (n - 1n)) + 1n;
}

/** Returns the public key of a secret key, each coordinate in 32 bytes. */
export function publicKeyOf(secretKey: bigint): { readonly x: Uint8Array; readonly y: Uint8Array } {
  const point = hexToBytes(timesBasePoint(secretKey));
  return { x: point.slice(1, 33), y: point.slice(33) };
}

/** Signs with ECDSA and SHA-256 (FIPS 186-5). The nonce follows RFC 6979, so the same message gets the same signature: r and the lower s. */
export function sign(message: Uint8Array, secretKey: bigint): Uint8Array {
  const hash = bytesToNumberBE(sha256(message)) % n;
  const firstOf = createHmacDrbg<Uint8Array>(32, 32, (key: Uint8Array, data: Uint8Array) => hmac(sha256, key, data));
  return firstOf(inBytes(secretKey, hash), (bytes) => {
    const nonce = bytesToNumberBE(bytes);
    if (nonce === 0n || nonce >= n) return undefined;
    const r = BigInt(`0x${timesBasePoint(nonce).slice(2, 66)}`) % n;
    const s = (invert(nonce, n) * (hash + r * secretKey)) % n;
    return r === 0n || s === 0n ? undefined : inBytes(r, s > n / 2n ? n - s : s);
  });
}

/** Returns two numbers, each in 32 bytes. */
function inBytes(first: bigint, second: bigint): Uint8Array {
  return concatBytes(numberToBytesBE(first, 32), numberToBytesBE(second, 32));
}
