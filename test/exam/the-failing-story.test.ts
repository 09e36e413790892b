import { exam } from "centavo/exam";
import type { ExamOptions, Failure } from "centavo/exam";
import { describe, expect, test } from "vitest";
import { openSmallShop } from "./small-shop.ts";
import type { Mistake, Orders } from "./small-shop.ts";

const shopWith = (mistake: Mistake): ExamOptions<Orders> => ({
  open: (opening) => openSmallShop(opening, mistake),
  acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
  books: ({ store }) => ({ orders: [...store.values()] }),
  jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
  budget: { stories: 250, failures: 1 },
});

const never = {
  name: "none",
  sentence: "Nothing is ever fulfilled.",
  remedy: "Sell nothing.",
  holds: "in the end",
} as const;

describe("a failing story", () => {
  test("has its sentences in order, with a name for each customer, and what a merchant needs to mend it", async () => {
    const text = String(await exam<Orders>(shopWith("no idempotency keys")));
    expect(text).toMatch(
      /\n✗ charged-once: A customer pays for an order once, or gets the rest back\.\n {2}1\. Ana orders order-1 with pm_card_approved\.\n {2}2\. .*\n {2}→ order-1 costs /,
    );
    expect(text).toMatch(/\n {2}Likely misunderstanding: .*\n {2}Remedy: .* docs\/guide\/laws\.md#charged-once\n/);
    expect(text).toMatch(/\n {2}Replay it: exam\(\{ …, replay: "/);
  });

  test("has no secret in it, whatever the merchant writes into addresses, its books and its own laws", async () => {
    const secrets = new Set<string>();
    const card = "4111111111111111";
    const spilt = (): string => [...secrets, card].map(encodeURIComponent).join(" ");
    const verdict = await exam<Orders>({
      ...shopWith("checks no signature"),
      open: (opening) => {
        const { clientSecret, webhookSecret } = opening.sim.credentials;
        for (const secret of [clientSecret, webhookSecret]) secrets.add(secret);
        return openSmallShop(opening, "checks no signature");
      },
      acts: {
        order: ({ visit, id, method }) => visit("POST", `/orders?of=${spilt()}`, { id, method }),
      },
      books: ({ store }) => ({
        orders: [...store.values()].map(({ id, amount, fulfilments, status }) => ({
          id,
          amount,
          fulfilments,
          status: `${status} ${card} ${spilt()}`,
        })),
      }),
      laws: { one: { ...never, name: "one", breaches: () => [{ what: `The shop says ${[...secrets].join()}.` }] } },
      budget: { stories: 20 },
    });
    const told = JSON.stringify(verdict) + String(verdict);
    expect(verdict.failures.map(({ law }) => law)).toContain("one");
    expect(secrets.size).toBe(2);
    const beginnings = [...secrets].map((secret) => secret.replace(/^(csec_fake_|whsec_FakeFake)(.{4}).*/, "$1$2"));
    expect([card, ...beginnings].filter((secret) => told.includes(secret))).toEqual([]);
  });

  test("tells two customers apart", async () => {
    const text = String(
      await exam<Orders>({
        ...shopWith("never asks"),
        laws: {
          two: {
            ...never,
            name: "two",
            breaches: ({ seen }) =>
              seen.acts.some(({ id }) => id === "order-2") ? [{ what: "order-2 is there." }] : [],
          },
        },
      }),
    );
    expect(text).toContain(
      "1. Ana orders order-1 with pm_card_approved.\n  2. Ben orders order-2 with pm_card_challenge.",
    );
    expect(text).toContain("Ben passes the challenge.");
  });

  test("tells of the customer who comes last only where the break is about them", async () => {
    const about = (id: string) => async () => {
      const { failures } = await exam<Orders>({
        ...shopWith("never asks"),
        laws: { one: { ...never, name: "one", breaches: () => [{ id, what: `${id} is there.` }] } },
        budget: { stories: 1 },
      });
      return failures.find(({ law }) => law === "one");
    };
    const [first, last] = [await about("order-1")(), await about("last-1")()];
    expect(first).not.toHaveProperty("docs");
    expect(first?.story).toEqual(["Ana orders order-1 with pm_card_approved."]);
    expect(last?.story).toEqual([...(first?.story ?? []), "In the end Carla orders last-1 with pm_card_approved."]);
    expect(first?.timeline).not.toContain("last-1");
    expect(last?.timeline).toContain("key create-last-1");
  });

  test("of a law of the merchant's own names its remedy, and no page", async () => {
    const one = { ...never, name: "one", breaches: () => [{ what: "It is." }] };
    const text = String(await exam<Orders>({ ...shopWith("never asks"), laws: { one }, budget: { stories: 1 } }));
    expect(text).toContain("\n  Remedy: Sell nothing.\n");
  });

  test("has a timeline that ends with the break, names what was delivered, and leaves out turns of jobs that repeat", async () => {
    const { failures } = await exam<Orders>(shopWith("fulfils each time"));
    const [{ timeline, story }] = failures as [Failure];
    expect(story.length).toBeLessThanOrEqual(3);
    const lines = timeline.split("\n");
    expect(lines.length).toBeLessThanOrEqual(38);
    expect(lines[0]).toMatch(/^ +merchant +service$/);
    expect(timeline).toMatch(/POST \/hooks \(payment_intent\.succeeded\)/);
    expect(lines.at(-1)).toMatch(/books: order-1 is paid, fulfilled \d times$/);
    expect(timeline).toMatch(/payment_intent pi_\w{4}…: processing → succeeded/);
  });

  test("stands once where it breaks several laws, each with its remedy", async () => {
    const text = String(
      await exam<Orders>({
        ...shopWith("fulfils each time"),
        laws: {
          first: { ...never, name: "first", breaches: () => [{ what: "One." }] },
          second: { ...never, name: "second", breaches: () => [{ what: "Two." }] },
        },
        budget: { stories: 1 },
      }),
    );
    expect(text.match(/1\. Ana orders order-1/g)).toHaveLength(1);
    expect(text).toMatch(
      /✗ first: [^]*→ One\.[^]*The same story breaks second: Nothing is ever fulfilled\.\n {2}→ Two\.\n {2}Remedy: Sell nothing\./,
    );
    expect(text.match(/Replay it/g)).toHaveLength(1);
  });
});
