import { pbkdf2, scrypt, webcrypto } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress } from "node:zlib";
import { exam } from "centavo/exam";
import type { ExamOptions } from "centavo/exam";
import { expect, test } from "vitest";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";
import { byNight } from "../by-night.ts";

const derive = promisify(pbkdf2);
const computations = {
  "pbkdf2 of node:crypto": () => derive("secret", "salt", 3_000_000, 64, "sha512"),
  "scrypt of node:crypto": async () => {
    const hash = promisify<string, string, number, object, Buffer>(scrypt);
    return hash("secret", "salt", 64, { N: 2 ** 18, r: 8, p: 2, maxmem: 2 ** 30 });
  },
  "web crypto": async () => {
    const key = await webcrypto.subtle.importKey("raw", Buffer.from("secret"), "PBKDF2", false, ["deriveBits"]);
    const algorithm = { name: "PBKDF2", hash: "SHA-512", salt: Buffer.from("salt"), iterations: 3_000_000 };
    return webcrypto.subtle.deriveBits(algorithm, key, 512);
  },
  "compression of node:zlib": () => promisify(brotliCompress)(Buffer.from("centavo ".repeat(4_000_000))),
};

/** An honest shop that does the work before it answers the first request to a path. */
function shopThatComputes(
  path: string,
  compute: () => Promise<unknown>,
): { readonly options: ExamOptions<Orders>; readonly count: () => number } {
  let count = 0;
  const computeOnce = async (): Promise<void> => {
    if (count > 0) return;
    count += 1;
    await compute();
  };
  const options: ExamOptions<Orders> = {
    ...examOfSmallShop(),
    budget: { stories: 1 },
    open: async (opening) => {
      const app = openSmallShop(opening);
      if (path === "open") await computeOnce();
      return async (request: Request) => {
        if (new URL(request.url).pathname === path) await computeOnce();
        return app(request);
      };
    },
  };
  return { options, count: () => count };
}

test.for<[name: keyof typeof computations, path: string]>([
  ["pbkdf2 of node:crypto", "/hooks"],
  ["web crypto", "/hooks"],
  ["compression of node:zlib", "/hooks"],
  ["pbkdf2 of node:crypto", "open"],
  ...byNight<[name: keyof typeof computations, path: string]>([
    ["scrypt of node:crypto", "/hooks"],
    ["pbkdf2 of node:crypto", "/orders"],
    ["pbkdf2 of node:crypto", "/jobs/refresh"],
  ]),
])("time stands still while a shop waits for %s at %s", async ([name, path]) => {
  const compute = computations[name];
  const { count, options } = shopThatComputes(path, compute);
  const verdict = await exam(options);
  expect(count()).toBe(1);
  expect(verdict.failures, String(verdict)).toEqual([]);
});

test("a computation that takes longer than the exam may wait ends it unfinished, and breaks no law", async () => {
  const { options } = shopThatComputes("/hooks", computations["pbkdf2 of node:crypto"]);
  const verdict = await exam({ ...options, longestWait: 0.2 });
  expect(verdict.outcome).toBe("unfinished");
  expect(verdict.unfinished).toContain("POST /hooks");
  expect(verdict.unfinished).toContain("longestWait");
});
