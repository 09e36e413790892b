import { exam } from "centavo/exam";
import type { ExamOptions, Law } from "centavo/exam";
import { checkoutMachine, invoiceMachine, paymentIntentMachine, subscriptionMachine } from "centavo/machines";
import { describe, expect, test } from "vitest";
import { examOfClub } from "./small-club.ts";
import { openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

const shop = {
  open: (opening) => openSmallShop(opening),
  acts: { order: ({ visit, id, method }) => visit("POST", "/orders", { id, method }) },
  books: ({ store }) => ({ orders: [...store.values()] }),
  jobs: [{ every: "10 minutes", run: ({ visit }) => visit("/jobs/refresh") }],
} satisfies ExamOptions<Orders>;

describe("what a green exam tried, and what it did not", () => {
  test("flows are told by name, those that the budget left out, too", async () => {
    const verdict = await exam<Orders>({ ...shop, budget: { stories: 3 } });
    expect(verdict.coverage.flows).toEqual({
      "order approved": 1,
      "order with a challenge": 1,
      "order declined at once": 1,
    });
    expect(String(verdict)).toMatch(
      /Flows of customers: 3 of 10 played\. Not played: order declined later; order with the challenge left; /,
    );
  });

  test("troubles are told by place: how often they struck, and which the search did not come to", async () => {
    const verdict = await exam<Orders>({ ...shop, budget: { stories: 14 } });
    const create = "call payment-intent.create";
    const { troubles, notTried } = verdict.coverage;
    const struck = Object.entries(troubles).flatMap(([place, counts]) =>
      Object.keys(counts).map((name) => ({ place, name })),
    );
    expect(struck).toHaveLength(4);
    expect(notTried[create]).toContain("request.hang");
    expect(String(verdict)).toMatch(
      /What went wrong +places +struck +never struck +not tried yet\n {2}at calls of the merchant +4 +4 /,
    );
    const table = verdict.coverageTable();
    expect(table).toMatch(/\n {3}1 response\.lost\n/);
    expect(table).toMatch(/\n {2}payment-intent\.status( +·)+\n/);
    expect(table).toMatch(/\n {2}order approved +\d\n/);
  });

  test("a law that no story gave a chance is told, and not once it was broken or a story reached it", async () => {
    const law = (reached: Law["reached"], breaches: Law["breaches"] = () => []): Law => ({
      name: "",
      sentence: "Nobody orders twice.",
      remedy: "Refuse the second.",
      holds: "always",
      breaches,
      ...(reached && { reached }),
    });
    const verdict = await exam<Orders>({
      ...shop,
      laws: {
        never: law(() => false),
        later: law(({ seen }) => seen.acts.some(({ id }) => id === "order-2")),
        broken: law(
          () => false,
          () => [{ what: "Order-1 is there." }],
        ),
        unsaid: law(undefined),
      },
      budget: { stories: 9 },
    });
    expect(verdict.neverReached).toEqual(["forged-changes-nothing", "never", "refuses-forgeries"]);
    expect(String(verdict)).toContain(
      "Never reached: forged-changes-nothing, never, refuses-forgeries, because nothing happened that they judge.",
    );
    expect(JSON.parse(JSON.stringify(verdict))).toMatchObject({ neverReached: verdict.neverReached });
  });

  test("an act that is undefined is one that is not given", async () => {
    const coverageWith = async (acts: ExamOptions["acts"]) =>
      (await exam<Orders>({ ...shop, acts, budget: { stories: 12 } })).coverage;
    const withUndefined: ExamOptions["acts"] = { ...shop.acts, ["payAgain" as string]: undefined };
    expect(await coverageWith(withUndefined)).toEqual(await coverageWith(shop.acts));
  });

  test("what the acts cannot reach is told with the act that is missing, and nothing of it as unseen", async () => {
    const verdict = await exam<Orders>({ ...shop, budget: { stories: 10 } });
    expect(String(verdict)).toContain("No story met checkout: give the act checkout.");
    expect(String(verdict)).toContain("No story met subscription, invoice: give the act join.");
    expect(verdict.unseen.resources.map(({ resource }) => resource)).toEqual(["payment_intent"]);
    expect(verdict.unseen.events.filter((type) => !type.startsWith("payment_intent."))).toEqual([]);
  });

  test("states, moves and events that no story met are told by the machines' own names", async () => {
    const club = await exam({ ...examOfClub(), budget: { stories: 1 } });
    const unseen = Object.fromEntries(club.unseen.resources.map(({ resource, ...of }) => [resource, of]));
    expect(unseen["subscription"]?.statesNotSeen).toEqual(["past_due", "unpaid", "incomplete_cancelled", "cancelled"]);
    expect(String(club)).toContain("but never past_due, unpaid, incomplete_cancelled, cancelled");
    expect(club.unseen.events).toContain("subscription.past_due");
    expect(club.unseen.errors).toContain("SUBSCRIPTION_NOT_FOUND");
    const machines = {
      payment_intent: paymentIntentMachine,
      checkout: checkoutMachine,
      subscription: subscriptionMachine,
      invoice: invoiceMachine,
    };
    for (const [name, { states }] of Object.entries(unseen))
      expect(states).toBe(Object.keys(machines[name as keyof typeof machines].states).length);
    expect([...Object.keys(unseen), ...Object.keys(club.unseen.notBegun)].toSorted()).toEqual(
      Object.keys(machines).toSorted(),
    );
    // Every kind of resource has the act that begins it.
    const acts = Object.values((await exam<Orders>({ ...shop, budget: { stories: 1 } })).unseen.notBegun);
    expect(acts).toEqual(["checkout", "join", "join"]);
  });
});

describe("the pace of a search", () => {
  test("is told beside the verdict, and no part of what two runs have in common", async () => {
    const examine = async () => exam<Orders>({ ...shop, budget: { stories: 12 } });
    const [one, other] = [await examine(), await examine()];
    expect(one.pace.storiesPerSecond).toBeGreaterThan(0);
    expect(one.pace.seconds).toBeCloseTo(12 / one.pace.storiesPerSecond);
    expect(one.pace.merchantShare).toBeGreaterThan(0);
    expect(one.pace.merchantShare).toBeLessThan(1);
    expect(one).toEqual(other);
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
    expect(String(one)).toBe(String(other));
    expect(JSON.stringify(one)).not.toContain("merchantShare");
  });
});
