import { weierstrass } from "@noble/curves/abstract/weierstrass.js";
import { once } from "./once.ts";

/**
 * P-256 (SP 800-186). `@noble/curves/nist.js` has ECDSA on it too, with verification, DER, key agreement and two more curves. A bundler
 * cannot leave those out, and they take as much room as the curve.
 */
export const P256 = {
  p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
  n: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  h: 1n,
  a: 0xffffffff00000001000000000000000000000000fffffffffffffffffffffffcn,
  b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  Gx: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  Gy: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};

/**
 * Returns a multiple of the base point in hexadecimal digits: 04, then 64 of each coordinate. Node's own function is taken where there is one,
 * because the tables of `@noble/curves` take longer to make than the rest of a small test.
 * @param scalar from 1 to n - 1
 */
export function timesBasePoint(scalar: bigint): string {
  return multiplier()(scalar);
}

const multiplier = once(() => {
  const keys = globalThis.process?.getBuiltinModule?.("node:crypto")?.createECDH?.("prime256v1");
  if (keys === undefined) {
    const { BASE } = weierstrass(P256);
    return (scalar: bigint): string => BASE.multiply(scalar).toHex(false);
  }
  return (scalar: bigint): string => {
    keys.setPrivateKey(scalar.toString(16).padStart(64, "0"), "hex");
    return keys.getPublicKey("hex");
  };
});
