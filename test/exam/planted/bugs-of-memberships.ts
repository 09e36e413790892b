import type { PlantedBug } from "./planted-bug.ts";

/** Bugs in who has access, until when, and by which plan. */
export const bugsOfMemberships: readonly PlantedBug[] = [
  {
    name: "no access while past due",
    file: "memberships.ts",
    find: 'new Set(["active", "past_due"])',
    replace: 'new Set(["active"])',
    laws: ["access-agrees"],
    source: {
      url: "https://github.com/laravel/cashier-stripe/issues/768",
      what: "Customers were locked out at the first failed renewal, while the service still retried it.",
    },
  },
  {
    name: "access while unpaid",
    file: "memberships.ts",
    find: 'new Set(["active", "past_due"])',
    replace: 'new Set(["active", "past_due", "unpaid"])',
    laws: ["access-agrees"],
  },
  {
    name: "no access after a recovery",
    file: "memberships.ts",
    find: '|| membership.status === "cancelled") return;',
    replace: '|| membership.status === "cancelled" || membership.status === "unpaid") return;',
    laws: ["access-agrees"],
    source: {
      url: "https://github.com/twentyhq/twenty/pull/18770",
      what: "Nothing handled the event of a paid invoice, so who paid after all remained suspended.",
    },
  },
  {
    name: "access after a cancellation",
    file: "memberships.ts",
    find: 'new Set(["active", "past_due"])',
    replace: 'new Set(["active", "past_due", "cancelled"])',
    laws: ["access-agrees"],
    source: {
      url: "https://github.com/dj-stripe/dj-stripe/issues/139",
      what: "The event of a cancellation changed nothing, and the user kept a subscription that counted as active.",
    },
  },
  {
    name: "access before the first payment",
    file: "membership-routes.ts",
    find: "memberships.change(membership, { redirectUrl: await payment() });",
    replace: 'memberships.change(membership, { redirectUrl: await payment(), status: "active" });',
    laws: ["paid-before-access"],
  },
  {
    name: "30-day months",
    file: "memberships.ts",
    find: "this.change(membership, { paidUntil: until,",
    replace: "this.change(membership, { paidUntil: new Date(Date.now() + 30 * 24 * 3_600_000).toISOString(),",
    laws: ["paid-until-agrees"],
    source: {
      url: "https://github.com/restrictcontentpro/restrict-content-pro/issues/113",
      what: "A renewal counted the new period from today, not from the end of the paid one.",
    },
  },
  {
    name: "never asks for a membership",
    file: "refresh.ts",
    find: "for (const membership of memberships.all()) {",
    replace: "for (const membership of memberships.all().slice(0, 0)) {",
    laws: ["access-agrees"],
  },
  {
    name: "does not hear of a cancellation",
    file: "memberships.ts",
    find: '|| membership.status === "cancelled") return;',
    replace: '|| status === "cancelled") return;',
    laws: ["access-agrees"],
    source: {
      url: "https://github.com/Rise-Vision/rise-vision-apps/issues/2518",
      what: "The webhook of a subscription that ended unpaid counted as not applicable, and the licences stayed.",
    },
  },
  {
    name: "does not hear that a membership is unpaid",
    file: "memberships.ts",
    find: '|| membership.status === "cancelled") return;',
    replace: '|| status === "unpaid" || membership.status === "cancelled") return;',
    laws: ["access-agrees"],
  },
  {
    name: "the first failure ends a membership",
    file: "webhooks.ts",
    find: '"subscription.past_due": "past_due",',
    replace: '"subscription.past_due": "cancelled",',
    laws: ["access-agrees"],
  },
  {
    name: "the old plan for ever",
    file: "memberships.ts",
    find: "this.change(membership, { paidUntil: until, plan, ",
    replace: "this.change(membership, { paidUntil: until, ",
    laws: ["plan-agrees"],
  },
  {
    name: "cancels in its own books alone",
    file: "membership-routes.ts",
    find: 'await payments.cancelSubscription(membership.subscriptionId ?? "", typeof reason === "string" ? reason : undefined);',
    replace:
      'log(`leaves because of ${String(reason)}`);\n    memberships.change(membership, { status: "cancelled" });',
    laws: ["leaves-for-good"],
    source: {
      url: "https://github.com/versioneye/versioneye/issues/410",
      what: "Who deleted an account was billed on, because the subscription at the service went on.",
    },
  },
  {
    name: "closes as soon as a member leaves",
    merchant: "the club with leases",
    file: "leasing-club.ts",
    find: '(status === "cancelled" && isPaid)',
    replace: '(status === "paused" && isPaid)',
    laws: ["access-agrees", "access-lasts"],
    source: {
      url: "https://github.com/screenpipe/screenpipe/issues/3843",
      what: "Who cancelled lost access at once, although the month was paid.",
    },
  },
  {
    name: "stays open after the paid period",
    merchant: "the club with leases",
    file: "leasing-club.ts",
    find: "now.toISOString() < paidUntil;",
    replace: 'now.toISOString() > "";',
    laws: ["access-agrees"],
  },
  {
    name: "takes no other card while past due",
    file: "membership-routes.ts",
    find: 'const isFirst = membership.status === "incomplete";',
    replace:
      'const isFirst = membership.status === "incomplete"; if (membership.status === "past_due") { response.status(409).json({ problem: "Your membership is not active" }); return; }',
    laws: ["good-card-is-served"],
  },
  {
    name: "counts an unpaid invoice as paid",
    merchant: "the club with leases",
    file: "leasing-club.ts",
    find: 'latestInvoice.status === "paid" ? latestInvoice.periodEnd : null;',
    replace: "latestInvoice.periodEnd;",
    laws: ["access-agrees"],
  },
  {
    name: "opens to whoever comes back from the bank",
    file: "membership-routes.ts",
    find: "log(`shows the customer that ${membership.id} is ${membership.status}`);",
    replace:
      'log(`shows the customer that ${membership.id} is ${membership.status}`); if (membership.status === "incomplete") memberships.change(membership, { status: "active" });',
    laws: ["paid-before-access"],
  },
];
