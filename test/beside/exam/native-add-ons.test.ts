import { exam } from "centavo/exam";
import argon2 from "argon2";
import bcrypt from "bcrypt";
import { expect, test } from "vitest";
import { isNight } from "../../by-night.ts";
import { examOfSmallShop, openSmallShop } from "../../exam/small-shop.ts";

// Each takes longer than the thousand turns of the event loop that an exam gives to work which it knows nothing of.
const hashes = {
  bcrypt: () => bcrypt.hash("secret", 15),
  argon2: () => argon2.hash("secret", { timeCost: 40, parallelism: 1 }),
};

const hashed = Object.entries(hashes).flatMap(([name, hash], place) =>
  ["/orders", "/hooks"]
    .filter((_path, other) => isNight || other === place % 2)
    .map((path) => [name, path, hash] as const),
);

test.for(hashed)("time stands still while %s hashes a password at %s", async ([, path, hash]) => {
  let count = 0;
  const verdict = await exam({
    ...examOfSmallShop(),
    open: (opening) => {
      const app = openSmallShop(opening);
      return async (request: Request) => {
        if (new URL(request.url).pathname === path && (count += 1) === 1) await hash();
        return app(request);
      };
    },
    budget: { stories: 1 },
  });
  expect(count).toBeGreaterThan(0);
  expect(verdict.failures, String(verdict)).toEqual([]);
});
