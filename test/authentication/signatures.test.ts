import { p256 } from "@noble/curves/nist.js";
import { assert, property, uint8Array } from "fast-check";
import { describe, expect, test, vi } from "vitest";

/** Loads the signatures anew, in a process with Node's cryptography or in one without, such as a browser. */
async function loadSignatures(has: {
  readonly cryptography: boolean;
}): Promise<typeof import("../../src/service/auth/es256.ts")> {
  const builtins = process.getBuiltinModule.bind(process);
  const loading = vi.spyOn(process, "getBuiltinModule");
  loading.mockImplementation((name: string) =>
    name === "node:crypto" && !has.cryptography ? undefined : builtins(name),
  );
  vi.resetModules();
  const signatures = await import("../../src/service/auth/es256.ts");
  // The first signature decides who multiplies.
  signatures.sign(new Uint8Array(), 1n);
  loading.mockRestore();
  return signatures;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const keyInBytes = (key: bigint): Uint8Array => Buffer.from(key.toString(16).padStart(64, "0"), "hex");

/** RFC 6979, A.2.5: ECDSA on P-256 with SHA-256. `s` is the lower of the two that verify: n - s where the RFC has the upper. */
const KEY = 0xc9afa9d845ba75166b5c215767b1d6934e50c3db36e89b127b8a622b120f6721n;
const vectors = {
  sample: {
    r: "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716",
    s:
      0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n -
      0xf7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8n,
  },
  test: {
    r: "f1abb023518351cd71d881567b1ea663ed3efcf6c5132b354f28d3b0b7d38367",
    s: 0x019f4113742a2b14bd25926b49c649155f267e60d3814b4c0cc84250e46f0083n,
  },
} as const;

describe.each([
  ["with Node's cryptography", { cryptography: true }],
  ["without it", { cryptography: false }],
])("in a process %s", async (_name, has) => {
  const { publicKeyOf, secretKeyOf, sign } = await loadSignatures(has);

  test.each(Object.entries(vectors))("the signature of %j is that of RFC 6979", (message, { r, s }) => {
    expect(hex(sign(Buffer.from(message), KEY))).toBe(r + s.toString(16).padStart(64, "0"));
  });

  test("keys and signatures are those of the whole ECDSA of @noble/curves, byte for byte", () => {
    const seeds = uint8Array({ minLength: 48, maxLength: 48 });
    assert(
      property(seeds, uint8Array({ maxLength: 300 }), (seed, message) => {
        const key = secretKeyOf(hex(seed));
        const { secretKey } = p256.keygen(seed);
        expect(hex(keyInBytes(key))).toBe(hex(secretKey));
        const { x, y } = publicKeyOf(key);
        expect(`04${hex(x)}${hex(y)}`).toBe(hex(p256.getPublicKey(secretKey, false)));
        expect(hex(sign(message, key))).toBe(hex(p256.sign(message, secretKey)));
      }),
      { seed: 256, numRuns: 100 },
    );
  });
});
