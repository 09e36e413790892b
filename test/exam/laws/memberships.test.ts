import { expect, test } from "vitest";
import { exam } from "centavo/exam";
import { club as honestClub } from "../honest/club.ts";
import type { Flow } from "../../../src/exam/story.ts";
import { examOfClub, openSmallClub } from "../small-club.ts";
import type { Member } from "../small-club.ts";
import { judge } from "./judge.ts";

test("a club without a mistake breaks no law", async () => {
  const verdict = await exam({ ...examOfClub(), budget: { stories: 40 } });
  expect(verdict.failures, String(verdict)).toEqual([]);
});

test.for([
  [
    "opens before the payment",
    "join with the challenge left",
    "paid-before-access: member-1 has access, and its subscription is incomplete and was never active.",
  ],
  [
    "stays open when unpaid",
    "join with renewals declined until unpaid",
    "access-agrees: member-1 has access, and its subscription is unpaid.",
  ],
  [
    "closes when past due",
    "join with a renewal declined then another card",
    "access-agrees: member-1 has no access, and its subscription is past_due.",
  ],
  [
    "stays closed after a recovery",
    "join with a renewal declined then recovered",
    "access-agrees: member-1 has no access, and its subscription is active.",
  ],
  [
    "stays open after the end",
    "join then leave",
    "access-agrees: member-1 has access, and its subscription is cancelled since 2026-01-04.",
  ],
  [
    "closes after 30 days",
    "join and stay for two months",
    "access-lasts: member-1 has no access on 2026-01-31, and has paid until 2026-02-01.",
  ],
  [
    "counts 30 days",
    "join approved",
    "paid-until-agrees: member-1 is paid until 2026-01-31 in the books, and until 2026-02-01 at the service.",
  ],
  [
    "keeps the old plan",
    "join then another plan",
    "plan-agrees: member-1 has the plan basic in the books, and is billed for plus.",
  ],
  [
    "forgets to cancel",
    "join then leave",
    "leaves-for-good: member-1 left on 2026-01-04, and has paid 1 invoice since.",
  ],
] as const)("a club that %s is found when customers %s", async ([mistake, flow, breach]) => {
  expect(await judge(examOfClub(mistake), flow)).toContain(breach);
  expect(await judge(examOfClub(), flow)).toEqual([]);
});

test.for([
  ["checks no signature", "join with a challenge", "act join 1", "forged event", "paid-before-access"],
  ["opens when the customer comes back", "join with a challenge", "act join 1", "typed way back", "paid-before-access"],
  ["subscribes at each try", "join approved", "act join 1", "back button", "subscribed-once"],
] as const)(
  "a club that %s is found when customers %s, and at %s there is a %s",
  async ([mistake, flow, point, trouble, law]) => {
    const broken = await judge(examOfClub(mistake), flow, [point, trouble]);
    expect(broken.map((each) => each.split(":")[0])).toContain(law);
    expect(await judge(examOfClub(), flow, [point, trouble])).toEqual([]);
  },
);

test("a club that knows its own subscriptions is not accused of one that another system cancels", async () => {
  const cancelled = ["act join 1", "subscription of another system"] as const;
  expect(await judge(examOfClub(), "join approved", cancelled)).toEqual([]);
});

test("a club that has no token for months is not blamed for what its job could not ask", async () => {
  const outage = ["call subscription.get 1", "outage"] as const;
  expect(await judge(honestClub, "join and stay for two months", outage)).toEqual([]);
});

test("a club that never asks is found when it is not told", async () => {
  const dropped = [
    ["event subscription.activated 1", "webhook.drop"],
    ["event subscription.invoice.paid 1", "webhook.drop"],
  ] as const;
  expect(await judge(examOfClub("never asks"), "join approved", ...dropped)).toEqual([
    "access-agrees: member-1 has no access, and its subscription is active.",
  ]);
  expect(await judge(examOfClub(), "join approved", ...dropped)).toEqual([]);
});

test("a club that asks once a night has its nights while a member is past due", async () => {
  const nightly = (mistake?: "closes when past due"): ReturnType<typeof examOfClub> => {
    const hourly = examOfClub(mistake);
    return { ...hourly, jobs: hourly.jobs?.map(({ run }) => ({ run, every: "24 hours" })) ?? [] };
  };
  const flow = "join with renewals declined until unpaid";
  expect(await judge(nightly(), flow)).toEqual([]);
  expect(await judge(nightly("closes when past due"), flow)).toContain(
    "access-agrees: member-1 has no access, and its subscription is past_due.",
  );
});

test("whether members who are past due have access is not judged unless the merchant says it", async () => {
  const why = "policy.access.past_due does not say whether a membership that is past_due has access";
  const { policy: _, ...unsaid } = examOfClub("closes when past due");
  expect(await judge(unsaid, "join with a renewal declined then another card")).toEqual([]);
  const { leftOut } = await exam({ ...unsaid, budget: { stories: 8 } });
  expect(leftOut).toMatchObject({ "access-agrees": why });
});

const untilPeriodEnd = { access: { past_due: true, cancelled: "until period end" } } as const;
const leaves = "join then leave";

test("a club whose members keep access to the end of the period that they paid for breaks no law", async () => {
  const club = { ...examOfClub(undefined, "until period end"), policy: untilPeriodEnd };
  expect(await judge(club, leaves)).toEqual([]);
  expect(await judge(club, "join until past due then leave")).toEqual([]);
});

test.for([
  ["closes at once", undefined, "at once", "access-agrees: member-1 has no access, and its subscription is cancelled."],
  [
    "never closes",
    "stays open after the end",
    "until period end",
    "access-agrees: member-1 has access, and its subscription is cancelled since 2026-01-04.",
  ],
] as const)(
  "a club that promises access to the end of the period, and %s, breaks access-agrees",
  async ([, mistake, leavers, sentence]) => {
    const club = { ...examOfClub(mistake, leavers), policy: untilPeriodEnd };
    expect(await judge(club, leaves)).toContain(sentence);
  },
);

test("a club that lets members in for ever after they have left may say so", async () => {
  const club = { ...examOfClub("stays open after the end"), policy: { access: { past_due: true, cancelled: true } } };
  expect(await judge(club, leaves)).toEqual([]);
});

test("a club that gives the new plan before its invoice is paid breaks plan-agrees", async () => {
  const asked = new Map<string, string>();
  const club = examOfClub();
  const eager: typeof club = {
    ...club,
    acts: {
      ...club.acts,
      changePlan: (context) => {
        asked.set(context.id, context.plan);
        return context.visit("POST", "/plan", { id: context.id, plan: context.plan });
      },
    },
    books: async (context) => {
      const { memberships = [] } = await club.books(context);
      return {
        memberships: memberships.map((each) =>
          Object.assign({}, each, asked.has(each.id) && { plan: asked.get(each.id) }),
        ),
      };
    },
  };
  expect(await judge(eager, "join then another plan")).toContain(
    "plan-agrees: member-1 has the plan plus in the books, and is billed for basic until the next invoice.",
  );
});

const joinsAgain: Flow = {
  name: "leave and join again",
  steps: [
    { kind: "act", act: "join", id: "member-1", method: "pm_card_approved", plan: "basic" },
    { kind: "wait", milliseconds: 86_400_000 },
    { kind: "act", act: "leave", id: "member-1", method: "pm_card_approved", plan: "basic" },
    { kind: "wait", milliseconds: 40 * 86_400_000 },
    {
      kind: "act",
      act: "join",
      id: "member-1",
      method: "pm_card_challenge",
      plan: "basic",
      pages: { challenge: "leave" },
    },
  ],
};

/** A club whose members may join again after they have left. */
const clubAgain = (mistake?: "opens before the payment"): ReturnType<typeof examOfClub> => {
  const club = examOfClub(mistake);
  return {
    ...club,
    open: (opening) => {
      const handler = openSmallClub(opening, mistake);
      return async (request: Request) => {
        const left = [...opening.store.values()].filter(({ status }) => status === "cancelled");
        if (request.url.endsWith("/members"))
          for (const { id } of left)
            opening.store.set(`${id} of old`, { ...opening.store.get(id), id: `${id} of old` } as Member);
        if (request.url.endsWith("/members")) for (const { id } of left) opening.store.delete(id);
        return handler(request);
      };
    },
  };
};

test("a member who left gets no access again before the new subscription is paid", async () => {
  expect(await judge(clubAgain(), joinsAgain)).toEqual([]);
  expect(await judge(clubAgain("opens before the payment"), joinsAgain)).toContain(
    "paid-before-access: member-1 has access, and its subscription is cancelled and incomplete and the new one was never active.",
  );
});

/** A club that takes no other card while a member has one of these statuses. */
const clubThatRefusesCards = (...whileIn: readonly string[]): ReturnType<typeof examOfClub> => ({
  ...examOfClub(),
  open: (opening) => {
    const handler = openSmallClub(opening);
    return async (request: Request) => {
      const [member] = opening.store.values();
      const isRefused = request.url.endsWith("/card") && whileIn.includes(member?.status ?? "");
      return isRefused ? new Response("Your membership is over.", { status: 409 }) : handler(request);
    };
  },
});

test("a member who is past due may give another card, and goes on with it", async () => {
  const flow = "join with a renewal declined then another card";
  expect(await judge(examOfClub(), flow)).toEqual([]);
  expect(await judge(clubThatRefusesCards("past_due"), flow)).toEqual([
    "good-card-is-served: member-1 gave another card while a payment was owed, the merchant answered 409, and the subscription is unpaid.",
  ]);
});

test("a club may refuse the card of a member whose subscription is unpaid", async () => {
  expect(await judge(clubThatRefusesCards("unpaid"), "join until unpaid then another card")).toEqual([]);
});
