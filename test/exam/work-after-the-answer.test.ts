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
