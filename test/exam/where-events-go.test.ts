import { exam } from "centavo/exam";
import type { ExamOptions, Opening } from "centavo/exam";
import { describe, expect, test } from "vitest";
import { examOfClub, openSmallClub } from "./small-club.ts";
import type { Members } from "./small-club.ts";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Mistake, Orders } from "./small-shop.ts";

/** A `fetch` that sends no address for events, as a merchant does who has set one at the service. */
function withoutAddress<Store>({ fetch, ...opening }: Opening<Store>): Opening<Store> {
  return {
    ...opening,
    fetch: (input, init) => {
      if (typeof init?.body !== "string") return fetch(input, init);
      const { webhookUrl: _, ...fields } = JSON.parse(init.body) as { webhookUrl?: string };
      return fetch(input, { ...init, body: JSON.stringify(fields) });
    },
  };
}

const shopWithoutAddress = (mistake?: Mistake): ExamOptions<Orders> => ({
  ...examOfSmallShop(mistake),
  open: (opening) => openSmallShop(withoutAddress(opening), mistake),
  budget: { stories: 40 },
});

describe("a merchant that sends no address for events", () => {
  test("gets them at the option webhookPath", async () => {
    const verdict = await exam({ ...shopWithoutAddress("never asks"), jobs: [], webhookPath: "/hooks" });
    expect(Object.keys(verdict.coverage.notTried)).toContain("event payment_intent.succeeded");
    expect(verdict.failures.map(({ law }) => law)).not.toContain("good-card-is-served");
    expect(verdict.withoutEvents).toBeUndefined();
    expect(JSON.stringify(verdict)).not.toContain("withoutEvents");
  });

  test("gets forged ones there, too", async () => {
    const verdict = await exam({
      ...shopWithoutAddress("checks no signature"),
      webhookPath: "/hooks",
      budget: { stories: 250, failures: 1 },
    });
    expect(verdict.failures[0]?.law).toBe("paid-before-fulfilled");
  });

  test("gets them there in every shard and in the replay of a failure", async () => {
    const budget = { stories: 250, failures: 1 };
    const options = { ...shopWithoutAddress("fulfils each time"), webhookPath: "/hooks", budget };
    const verdict = await exam({ ...options, shard: { index: 2, of: 2 } });
    const [failure] = verdict.failures;
    expect(failure?.law).toBe("fulfilled-once");
    const replayed = await exam({ ...options, replay: failure?.token ?? "" });
    expect(replayed.failures.find(({ law }) => law === failure?.law)?.digest).toBe(failure?.digest);
  });

  test("is told so by the verdict, before any failure and in JSON, when nothing reaches it", async () => {
    const verdict = await exam({ ...shopWithoutAddress(), jobs: [], budget: { stories: 3 } });
    const sentence =
      'No event reached the merchant, because none had an address: unless it only asks, set the option webhookPath, such as "/hooks", or send the `url` that open is given, as in webhookUrl: `${url}/hooks`.';
    expect(String(verdict).split("\n")[1]).toBe(sentence);
    expect(JSON.parse(JSON.stringify(verdict))).toMatchObject({ withoutEvents: sentence });
  });

  test("may be right, when it asks", async () => {
    const verdict = await exam(shopWithoutAddress());
    expect(verdict.failures).toEqual([]);
    expect(verdict.withoutEvents).toMatch(/^No event reached the merchant/);
  });

  test("keeps an address of its own beside the option webhookPath", async () => {
    const shop = { ...examOfSmallShop("never asks"), jobs: [], budget: { stories: 1 } };
    expect((await exam({ ...shop, webhookPath: "/elsewhere" })).digest).toBe((await exam(shop)).digest);
  });
});

describe("a merchant whose events go to another origin", () => {
  const elsewhere = { url: "https://news.example" };
  const refusal =
    'exam: the merchant sends events to "https://news.example/hooks" and its app is at https://shop.example. Use the `url` that open is given, as in webhookUrl: `${url}/hooks`.';

  test("is refused in the first story, with the address and the way out", async () => {
    const open = (opening: Opening<Orders>) => openSmallShop({ ...opening, ...elsewhere });
    await expect(exam({ ...examOfSmallShop(), open })).rejects.toThrow(refusal);
  });

  test("is refused when only a later story sends events", async () => {
    const club = examOfClub();
    const options: ExamOptions<Members> = {
      ...club,
      open: (opening) => {
        const app = openSmallClub({ ...opening, ...elsewhere });
        const shop = openSmallShop(withoutAddress(opening as unknown as Opening<Orders>));
        return (request: Request) => (new URL(request.url).pathname === "/orders" ? shop(request) : app(request));
      },
      acts: { ...club.acts, order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
      books: () => ({ orders: [] }),
    };
    await expect(exam(options)).rejects.toThrow(refusal);
  });
});

describe("the option webhookPath", () => {
  test.each(["hooks", "//news.example/hooks", "https://news.example/hooks", "", 7])(
    "does not take %j",
    async (path) => {
      await expect(exam({ ...examOfSmallShop(), webhookPath: path as string })).rejects.toThrow(
        'It takes the path of the merchant\'s app to which events go, such as "/hooks"',
      );
    },
  );
});
