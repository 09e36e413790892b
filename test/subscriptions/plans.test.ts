import { describe, expect, test } from "vitest";
import { textLike } from "../matchers.ts";
import { Merchant } from "../merchant.ts";
import { type Plan, ok, refusedAs } from "../merchant/answers.ts";
import { planBody } from "../merchant/requests.ts";

interface PlanList {
  readonly items: readonly Plan[];
  readonly hasMore: boolean;
}

const PLANS = "/api/subscription/plans";
const list = async (merchant: Merchant, query = ""): Promise<PlanList> =>
  ok(await merchant.call<PlanList>("GET", PLANS + query));

describe("a new plan", () => {
  test("needs a name, an amount and an interval, and gets the rest by default", async () => {
    const merchant = await Merchant.open({ now: "2026-01-01T00:00:00Z" });
    const plan = await merchant.createPlan();
    expect(plan).toEqual({
      id: textLike(/^plan_[A-Za-z0-9]{24}$/),
      name: "Coffee club",
      amount: 49_900,
      currency: "PHP",
      interval: "month",
      intervalCount: 1,
      metadata: {},
      createdAt: "2026-01-01T00:00:00.000Z",
      updatedAt: "2026-01-01T00:00:00.000Z",
    });
    expect(ok(await merchant.call("GET", `${PLANS}/${plan.id}`))).toEqual(plan);
  });

  test("keeps everything that it is given", async () => {
    const merchant = await Merchant.open();
    const body = {
      name: "Tea club",
      description: "Every other week",
      amount: 1,
      currency: "PHP",
      interval: "week",
      intervalCount: 2,
      metadata: { sku: "tea", tiers: [1, 2] },
    };
    expect(await merchant.createPlan(body)).toMatchObject(body);
  });

  test.each([
    ["name", undefined],
    ["name", ""],
    ["name", 7],
    ["name", "x".repeat(1001)],
    ["description", 7],
    ["amount", undefined],
    ["amount", 0],
    ["amount", -1],
    ["amount", 10.5],
    ["amount", "100"],
    ["amount", 100_000_000_000],
    ["currency", "usd"],
    ["currency", "ABC"],
    ["currency", "PESO"],
    ["currency", ""],
    ["interval", undefined],
    ["interval", "fortnight"],
    ["intervalCount", 0],
    ["intervalCount", 1.5],
    ["intervalCount", "2"],
    ["metadata", "text"],
    ["metadata", []],
  ])("is refused for %s %j, which the error names", async (field, value) => {
    const merchant = await Merchant.open();
    const answer = await merchant.call("POST", PLANS, planBody({ [field]: value }));
    refusedAs(answer, 400, "VALIDATION_ERROR");
    expect(answer.body.errors?.map(({ path }) => path)).toEqual([field]);
    expect(merchant.sim.plans.list()).toEqual([]);
  });

  test("is told all its problems at once", async () => {
    const merchant = await Merchant.open();
    const { body } = await merchant.call("POST", PLANS, { interval: "hour" });
    expect(body.errors?.map(({ path }) => path)).toEqual(["name", "amount", "interval"]);
  });
});

describe("the list of plans", () => {
  test("is empty at first, then newest first, ten by default", async () => {
    const merchant = await Merchant.open();
    expect(await list(merchant)).toEqual({ items: [], hasMore: false });
    const made: string[] = [];
    for (let count = 0; count < 11; count += 1) made.unshift((await merchant.createPlan()).id);
    const { items, hasMore } = await list(merchant);
    expect(items.map(({ id }) => id)).toEqual(made.slice(0, 10));
    expect(hasMore).toBe(true);
  });

  test("is read page by page after the last plan of the page before", async () => {
    const merchant = await Merchant.open();
    const made: string[] = [];
    for (let count = 0; count < 5; count += 1) made.unshift((await merchant.createPlan()).id);
    const pages = [await list(merchant, "?limit=2")];
    while (pages.at(-1)?.hasMore === true)
      pages.push(await list(merchant, `?limit=2&after=${pages.at(-1)?.items.at(-1)?.id}`));
    expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
    expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(made);
    expect(await list(merchant, `?after=${made.at(-1)}`)).toEqual({ items: [], hasMore: false });
  });

  test.each(["limit=0", "limit=101", "limit=1.5", "limit=many", "after=", "after=plan_unknown"])(
    "is refused for %s",
    async (query) => {
      const merchant = await Merchant.open();
      const answer = await merchant.call("GET", `${PLANS}?${query}`);
      refusedAs(answer, 400, "VALIDATION_ERROR");
      expect(answer.body.errors?.map(({ path }) => path)).toEqual([query.split("=")[0]]);
    },
  );

  test("shows a merchant none of another's plans", async () => {
    const merchant = await Merchant.open();
    const other = await merchant.neighbour();
    const { id } = await merchant.createPlan();
    expect(await list(other)).toEqual({ items: [], hasMore: false });
    refusedAs(await other.call("GET", `${PLANS}/${id}`), 404, "PLAN_NOT_FOUND");
    refusedAs(await other.call("GET", `${PLANS}?after=${id}`), 400, "VALIDATION_ERROR");
  });
});

test("an unknown plan is not found", async () => {
  const merchant = await Merchant.open();
  refusedAs(await merchant.call("GET", `${PLANS}/plan_unknown`), 404, "PLAN_NOT_FOUND");
});

test("plans ask for a bearer token", async () => {
  const merchant = await Merchant.open();
  refusedAs(await merchant.call("GET", PLANS, undefined, { authorization: "Bearer nonsense" }), 401, "UNAUTHORIZED");
});
