import { exam } from "centavo/exam";
import { expect, test } from "vitest";
import { tokenOf } from "../../src/exam/token.ts";
import { openSmallClub } from "./small-club.ts";
import type { Members } from "./small-club.ts";

test("Date is the virtual now when an event comes in the middle of two months", async () => {
  const apart: number[] = [];
  await exam<Members>({
    open: (opening) => {
      const answer = openSmallClub(opening);
      return (request: Request) => {
        apart.push(Math.abs(opening.now().getTime() - Date.now()));
        return answer(request);
      };
    },
    acts: { join: ({ visit, id, plan, method }) => visit("POST", "/members", { id, plan, method }) },
    books: () => ({ memberships: [] }),
    replay: tokenOf({ flow: { name: "join and stay for two months", steps: [] }, troubles: [] }),
  });
  expect(Math.max(...apart)).toBe(0);
});
