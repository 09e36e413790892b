import type { Acts } from "./options.ts";
import type { ReadOptions } from "./read-options.ts";
import type { ActStep, Flow, OnPages, Step } from "./story.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const APPROVED = "pm_card_approved";
const CHALLENGE = "pm_card_challenge";
const DECLINED_AT_ONCE = "pm_card_insufficient_funds";
const DECLINED_LATER = "pm_card_generic_decline";
const MEMBER = "member-1";

interface FlowPlan {
  readonly name: string;
  readonly steps: readonly Step[];
}

/** Returns the flows that a merchant's acts allow, the simplest first. */
export function flowsOf({ acts, plans }: Pick<ReadOptions, "acts" | "plans">): readonly Flow[] {
  return allFlows(plans).filter(({ steps }) => steps.every((step) => isPossible(step, acts)));
}

/** Returns the acts that a merchant did not give. The flows that need them are not examined. */
export function missingActs({ acts, plans }: Pick<ReadOptions, "acts" | "plans">): readonly string[] {
  const needed = new Set(allFlows(plans).flatMap(({ steps }) => steps.flatMap(actsOf)));
  return [...needed].filter((act) => acts[act] === undefined);
}

export const flowNames: ReadonlySet<string> = new Set(allFlows(["", ""]).map(({ name }) => name));

function isPossible(step: Step, acts: Acts): boolean {
  return actsOf(step).every((act) => acts[act] !== undefined);
}

function actsOf(step: Step): ActStep["act"][] {
  if (step.kind === "act") return [step.act];
  return step.kind === "together" ? step.steps.map(({ act }) => act) : [];
}

function allFlows([basic, plus]: readonly [string, string]): readonly FlowPlan[] {
  const order = (method: string, pages?: OnPages, id = "order-1") => does("order", id, method, pages);
  const checkout = (method: string, pages?: OnPages, id = "order-1") => does("checkout", id, method, pages);
  const join = (method: string, pages?: OnPages) => ({ ...does("join", MEMBER, method, pages), plan: basic });
  const member = (name: ActStep["act"], method = APPROVED, plan = basic) => ({
    ...does(name, MEMBER, method),
    plan,
  });
  return [
    flow("order approved", order(APPROVED)),
    flow("checkout approved", checkout(APPROVED)),
    flow("join approved", join(APPROVED)),
    flow("order with a challenge", order(CHALLENGE)),
    flow("order declined at once", order(DECLINED_AT_ONCE)),
    flow("order declined later", order(DECLINED_LATER)),
    flow("order with the challenge left", order(CHALLENGE, { challenge: "leave" })),
    flow("order with the challenge failed", order(CHALLENGE, { challenge: "fail" })),
    flow("order declined then paid again", order(DECLINED_AT_ONCE), does("payAgain", "order-1", APPROVED)),
    flow("order declined later then paid again", order(DECLINED_LATER), does("payAgain", "order-1", APPROVED)),
    flow(
      "order with the challenge left then paid again",
      order(CHALLENGE, { challenge: "leave" }),
      does("payAgain", "order-1", APPROVED),
    ),
    flow(
      "order with a look while the challenge is open",
      order(CHALLENGE, { later: true }),
      does("look", "order-1", APPROVED),
    ),
    flow("order by a wallet", order("pm_gcash")),
    flow("order paid at the counter", order("pm_display_details"), {
      kind: "counter",
      id: "order-1",
      after: HOUR - 5 * MINUTE,
    }),
    flow("checkout left", checkout(APPROVED, { page: "leave" })),
    flow("checkout cancelled", checkout(APPROVED, { page: "cancel" })),
    flow("checkout declined", checkout(DECLINED_AT_ONCE)),
    flow("checkout with a challenge", checkout(CHALLENGE)),
    flow(
      "checkout with a look while the page is open",
      checkout(APPROVED, { later: true }),
      does("look", "order-1", APPROVED),
    ),
    flow("checkout twice with the first left", checkout(APPROVED, { page: "leave" }), checkout(APPROVED)),
    flow("checkout declined then again", checkout(DECLINED_AT_ONCE), checkout(APPROVED)),
    flow(
      "checkout paid after the cart changed",
      checkout(APPROVED, { page: "leave" }),
      does("changeCart", "order-1", APPROVED),
      checkout(APPROVED),
    ),
    flow(
      "order declined then paid after the cart changed",
      order(DECLINED_AT_ONCE),
      does("changeCart", "order-1", APPROVED),
      does("payAgain", "order-1", APPROVED),
    ),
    // Months differ in length, so the books must be right on the last day of each.
    flow(
      "join and stay for two months",
      join(APPROVED),
      renewal(-12 * HOUR),
      renewal(DAY),
      renewal(-12 * HOUR),
      renewal(5 * DAY),
    ),
    flow(
      "join with renewals declined until unpaid",
      join("pm_card_declines_renewals"),
      renewal(DAY),
      // By now a nightly job has run twice, and the member is still past due.
      wait(36 * HOUR),
      wait(60 * HOUR),
      wait(2 * DAY),
    ),
    flow("join with a renewal declined then recovered", join("pm_card_recovers"), renewal(12 * HOUR), wait(3 * DAY)),
    flow(
      "join with a renewal declined then another card",
      join("pm_card_declines_renewals"),
      renewal(12 * HOUR),
      member("changeCard"),
      wait(DAY),
    ),
    flow(
      "join until unpaid then another card",
      join("pm_card_declines_renewals"),
      renewal(5 * DAY),
      member("changeCard"),
      wait(DAY),
    ),
    flow("join then leave", join(APPROVED), wait(3 * DAY), member("leave"), wait(DAY), renewal(12 * DAY)),
    flow(
      "join then leave then join again",
      join(APPROVED),
      wait(3 * DAY),
      member("leave"),
      wait(DAY),
      join(APPROVED),
      wait(DAY),
      renewal(DAY),
    ),
    flow(
      "join then leave before the events of the renewal",
      join(APPROVED),
      { ...renewal(HOUR), isToldLate: true },
      member("leave"),
      renewal(DAY),
    ),
    flow("join declined", join(DECLINED_AT_ONCE), wait(2 * DAY)),
    flow("join declined later", join(DECLINED_LATER), wait(2 * DAY)),
    flow("join with a challenge", join(CHALLENGE)),
    flow("join with the challenge left", join(CHALLENGE, { challenge: "leave" }), wait(2 * DAY)),
    flow("join then another plan", join(APPROVED), wait(DAY), member("changePlan", APPROVED, plus), renewal(2 * DAY)),
    flow(
      "join until past due then leave",
      join("pm_card_declines_renewals"),
      renewal(12 * HOUR),
      member("leave"),
      wait(DAY),
    ),
    flow("two customers order at once", {
      kind: "together",
      steps: [order(APPROVED), order(CHALLENGE, {}, "order-2")],
    }),
    flow("three customers check out at once", {
      kind: "together",
      steps: [checkout(APPROVED), checkout(APPROVED, { page: "leave" }, "order-2"), checkout(APPROVED, {}, "order-3")],
    }),
    flow("three customers join at once", {
      kind: "together",
      steps: ["1", "2", "3"].map((place) => Object.assign(join(APPROVED), { id: `member-${place}` })),
    }),
    // The lists of the service have pages of ten.
    flow("twelve customers order at once", {
      kind: "together",
      steps: Array.from({ length: 12 }, (_, place) => order(APPROVED, {}, `order-${place + 1}`)),
    }),
  ];
}

function flow(name: string, ...steps: Step[]): FlowPlan {
  return { name, steps };
}

function does(name: ActStep["act"], id: string, method: string, pages?: OnPages): ActStep {
  return { kind: "act", act: name, id, method, ...(pages === undefined ? {} : { pages }) };
}

function wait(milliseconds: number): Step {
  return { kind: "wait", milliseconds };
}

function renewal(after: number): Extract<Step, { kind: "renewal" }> {
  return { kind: "renewal", id: MEMBER, after };
}
