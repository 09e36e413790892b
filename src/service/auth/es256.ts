import { ecdsa, weierstrass } from "@noble/curves/abstract/weierstrass.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { once } from "../../kit/base/runtime/once.ts";

/** P-256 (SP 800-186). `@noble/curves/nist.js` has it too, but makes every NIST curve when it is imported. */
const P256 = {
  p: 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn,
  n: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
  h: 1n,
  a: 0xffffffff00000001000000000000000000000000fffffffffffffffffffffffcn,
  b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  Gx: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  Gy: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
};

/**
 * Without random bytes, `@noble/curves` does not blind secret keys, which is over a third of its work. It would guard nothing: these keys
 * come from seeds that everyone may know.
 */
const unblinded = { randomBytes: () => new Uint8Array() };

/**
 * ES256 (RFC 7518): ECDSA on P-256 with SHA-256, and the lower `s`. Nonces follow RFC 6979, so the same message gets the same signature.
 * Made when the first token is signed.
 */
export const es256 = once(() => {
  const Point = weierstrass(P256, unblinded);
  // A small table: the default one takes 30 ms to make, and a test file signs a few tokens.
  Point.BASE.precompute(3);
  return ecdsa(Point, sha256, unblinded);
});
