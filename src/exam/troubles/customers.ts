import type { OnPages } from "../story.ts";
import { isPaying } from "./acts.ts";
import type { Acting, PlannedFault, Trouble } from "./trouble.ts";

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
    fits: isPaying,
    needsNeighbours: true,
    onAct: { beforePages: failReads },
    sentence: (_point, who) =>
      `From then on, the service answers 500 to every read of what ${who} pays for, and no event arrives, for two days.`,
  },
  processor(
    "processor.decline",
    { kind: "processor.decline", code: "generic_decline" },
    (who) => `${who}'s payment is declined later.`,
  ),
  processor(
    "processor.decline at once",
    { kind: "processor.decline", code: "insufficient_funds", synchronous: true },
    (who) => `${who}'s payment is declined at once.`,
  ),
  processor(
    "processor.late",
    { kind: "processor.late", delay: "30 minutes" },
    (who) => `${who}'s payment is decided only after 30 minutes.`,
    { leavesInDoubt: true },
  ),
  processor(
    "processor.late 30h",
    { kind: "processor.late", delay: "30 hours" },
    () => "The payment is decided only after 30 hours, when the page has expired.",
    { fits: ({ subject }) => subject === "checkout" },
  ),
  processor(
    "processor.unavailable",
    { kind: "processor.unavailable" },
    (who) => `The processor is unavailable when ${who} pays.`,
  ),
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
    needsOpenPayment: true,
    onAct: { pages },
    sentence: (_point, who) => sentence(who),
    ...more,
  };
}

function processor(
  name: string,
  fault: PlannedFault,
  sentence: (who: string) => string,
  more: Partial<Trouble> = {},
): Trouble {
  return { name, at: "act", fits: isPaying, fault, sentence: (_point, who) => sentence(who), ...more };
}

/** Makes the reads of everything that a customer pays for fail, while no event tells the merchant of anything. */
async function failReads({ run, step }: Acting): Promise<void> {
  const { seen, story, troubles } = run;
  const own = [...seen.owners].flatMap(([id, owner]) => (owner === step.id ? [id] : []));
  const tokens = run.sim.intents.list().flatMap(({ id, sessionToken }) => (own.includes(id) ? sessionToken : []));
  const ids = [...own, ...tokens];
  // Where something else goes wrong, too, that may be what holds the others up.
  if (story.troubles.length === 1) for (const id of ids) seen.unreadableAtService.add(id);
  const reads = ids.map((resource) => ({
    kind: "request.status",
    status: 500,
    method: "GET",
    path: "/api/*",
    resource,
  }));
  troubles.lasts([...reads, { kind: "webhook.drop", event: "*" }], TWO_NIGHTS);
}
