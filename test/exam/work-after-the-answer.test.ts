import { pbkdf2 } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";

test.for([
  ["in a file", () => readFile(import.meta.filename)],
  [
    "in compression and a file",
    async () => [await promisify(gzip)(Buffer.alloc(1e6)), await readFile(import.meta.filename)],
  ],
] as const)("the exam waits for work after the answer %s before it reads the books", async ([, work]) => {
  const shop = examOfSmallShop();
  let [begun, done, readTooEarly] = [0, 0, 0];
  await exam({
    ...shop,
    open: (opening) => {
      const app = openSmallShop(opening);
      const afterwards = async (request: Request): Promise<void> => {
        await work();
        await app(request);
        done += 1;
      };
      return async (request: Request) => {
        if (new URL(request.url).pathname !== "/hooks") return app(request);
        begun += 1;
        void afterwards(request.clone());
        await request.text();
        return new Response();
      };
    },
    books: (context) => {
      if (begun > done) readTooEarly += 1;
      return shop.books(context);
    },
    budget: { stories: 3 },
  });
  expect(begun).toBeGreaterThan(3);
  expect(readTooEarly).toBe(0);
});

test("a merchant whose answer has a slow body is not accused of a storm of calls", async () => {
  const shop = examOfSmallShop();
  let slow = 2;
  const verdict = await exam({
    ...shop,
    open: (opening) => {
      const app = openSmallShop(opening);
      return async (request: Request) => {
        const answer = await app(request);
        if (new URL(request.url).pathname !== "/hooks" || slow === 0) return answer;
        slow -= 1;
        const body = new ReadableStream({
          pull: async (stream) => {
            await promisify(pbkdf2)("secret", "salt", 1_000_000, 64, "sha512");
            stream.close();
          },
        });
        return new Response(body, { status: answer.status });
      };
    },
    budget: { stories: 3 },
  });
  expect(slow).toBe(0);
  expect(verdict.failures, String(verdict)).toEqual([]);
});
