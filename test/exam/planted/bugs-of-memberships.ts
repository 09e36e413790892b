import type { PlantedBug } from "./planted-bug.ts";

/** Bugs in who has access, until when, and by which plan. */
export const bugsOfMemberships: readonly PlantedBug[] = [
  {
    name: "no access while past due",
    file: "memberships.ts",
    find: 'new Set(["active", "past_due"])',
    replace: 'new Set(["active"])',
    laws: ["access-agrees"],
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
  },
  {
    name: "access after a cancellation",
    file: "memberships.ts",
    find: 'new Set(["active", "past_due"])',
    replace: 'new Set(["active", "past_due", "cancelled"])',
    laws: ["access-agrees"],
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
  },
  {
    name: "never asks for a membership",
    file: "refresh.ts",
    find: "for (const membership of memberships.all()) {",
    replace: "for (const membership of memberships.all().slice(0, 0)) {",
    laws: ["access-agrees"],
  },
];
