import { onlyWithCustomers } from "../../troubles/in-shake.ts";
import { processorTroubles } from "../../troubles/processor.ts";
import type { OnPages } from "../story.ts";
import { isPaying } from "../../troubles/acts.ts";
import { statusInForce } from "../../troubles/values-in-force.ts";
import type { Acting, Trouble } from "./trouble.ts";

const HOUR = 3_600_000;
/** How long something cannot be read: a nightly job runs twice meanwhile. */
const TWO_NIGHTS = "49 hours";

export const customerTroubles: readonly Trouble[] = [
  onPages("leaves the page", { page: "leave", challenge: "leave" }, (who) => `${who} leaves the page without paying.`),
  onPages("cancels on the page", { page: "cancel", challenge: "fail" }, (who) => `${who} cancels on the page.`),
  onPages("fails the challenge", { challenge: "fail" }, (who) => `${who} fails the challenge.`),
  onPages(
    "closes the browser",
    { comesBack: false },
    (who) => `${who} closes the browser after the last page, and never comes back.`,
  ),
  onPages("returns late", { after: 2 * HOUR }, (who) => `${who} stays on the page for two hours.`),
  onPages("returns a day late", { after: 25 * HOUR }, (who) => `${who} stays on the page for a day.`, {
    order: "variant",
  }),
  {
    name: "comes after two hours",
    at: "act",
    inShake: onlyWithCustomers,
    onAct: {
      before: async ({ run }) => {
        await run.course.passTo(run.time.now + 2 * HOUR);
        run.seen.timeIsTold();
      },
    },
    sentence: () => "Two hours pass, so the merchant's token expires.",
  },
  {
    name: "cannot be read",
    at: "act",
    inShake: onlyWithCustomers,
    fits: isPaying,
    needsNeighbours: true,
    onAct: { beforePages: failReads },
    sentence: (_point, who, values) =>
      `From then on, the service answers ${statusInForce(500, values)} to every read of what ${who} pays for, and no event arrives, for two days.`,
  },
  ...processorTroubles,
];

function onPages(
  name: string,
  pages: OnPages,
  sentence: (who: string) => string,
  more: Partial<Trouble> = {},
): Trouble {
  return {
    name,
    at: "act",
    inShake: onlyWithCustomers,
    needsOpenPayment: true,
    onAct: { pages },
    sentence: (_point, who) => sentence(who),
    ...more,
  };
}

/** The calls with which a merchant reads what a customer pays for. */
const READS = [
  "payment-intent.status",
  "checkout.session",
  "checkout.polling",
  "subscription.get",
  "subscription.session",
  "transaction.payment-session",
] as const;

/** Makes the reads of everything that a customer pays for fail, while no event tells the merchant of anything. */
async function failReads({ run, step }: Acting): Promise<void> {
  const { seen, story, troubles } = run;
  const own = [...seen.owners].flatMap(([id, owner]) => (owner === step.id ? [id] : []));
  const tokens = run.sim.intents.list().flatMap(({ id, sessionToken }) => (own.includes(id) ? sessionToken : []));
  const ids = [...own, ...tokens];
  // Where something else goes wrong, too, that may be what holds the others up.
  if (story.troubles.length === 1) for (const id of ids) seen.unreadableAtService.add(id);
  const reads = ids.flatMap((resource) =>
    READS.map((route) => ({ kind: "request.status" as const, status: 500, route, resource })),
  );
  troubles.lasts([...reads, { kind: "webhook.drop", event: "*" }], TWO_NIGHTS);
}
