import { exam } from "centavo/exam";
import { beforeAll, describe, expect, test } from "vitest";
import { examOfClub } from "../small-club.ts";
import { examinedBy, nodes } from "./elsewhere.ts";
import type { Said } from "./elsewhere.ts";

describe("three hundred stories of a shop that is right", () => {
  test("are the same, with the same verdict and digest, in two processes", async () => {
    const shop = { file: "small-shop.ts", options: "examOfSmallShop()", stories: 300 };
    const [one, other] = await Promise.all([examinedBy(process.execPath, shop), examinedBy(process.execPath, shop)]);
    expect(one).toMatchObject({ stories: 2000, passed: true });
    expect(other).toEqual(one);
  });
});

describe("three hundred stories of a club that goes wrong", () => {
  const club = { file: "small-club.ts", options: 'examOfClub("stays open when unpaid")', stories: 300 };
  let first: Said;

  /** What an exam with failures said, so that their stories, tokens and timelines are compared, too. */
  const examined = async (): Promise<Said> => {
    const verdict = await exam({ ...examOfClub("stays open when unpaid"), budget: { stories: club.stories } });
    const { digest, stories, passed, failures } = verdict;
    return { text: String(verdict), digest, stories, passed, failures };
  };

  beforeAll(async () => {
    first = await examined();
    expect(first.failures).not.toEqual([]);
  }, 300_000);

  test("are the same, with the same failures, again in the same process", async () => {
    expect(await examined()).toEqual(first);
  });

  test.for(["the lowest Node", "the newest Node"] as const)(
    "are the same, with the same failures, in another process by %s",
    async (node) => {
      expect(await examinedBy(nodes[node], club)).toEqual(first);
    },
  );
});
