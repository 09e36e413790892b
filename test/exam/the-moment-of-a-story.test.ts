import { exam } from "centavo/exam";
import type { ExamOptions } from "centavo/exam";
import { expect, test } from "vitest";
import { shorten } from "../../src/exam/shorten.ts";
import { tokenOf } from "../../src/exam/token.ts";
import { placed } from "./placed.ts";
import { examOfClub } from "./small-club.ts";
import { examOfSmallShop } from "./small-shop.ts";

const DAY = 86_400_000;

const tokenFrom = (flow: string, ...moments: string[]): string =>
  tokenOf({ flow: { name: flow, steps: [] }, troubles: moments.map((moment) => placed("story 1", moment)) });

/** Returns a shop that notes its times: those of its clock, of its tokens, of events, and of its job. */
function noting(notes: Map<string, number>): ExamOptions<never> {
  const shop = examOfSmallShop();
  const options: typeof shop = {
    ...shop,
    open: async (opening) => {
      const handler = shop.open(opening) as (request: Request) => Promise<Response>;
      notes.set("Date", Date.now());
      notes.set("now", opening.now().getTime());
      notes.set("clock", Date.parse(opening.sim.clock.now()));
      const { clientId, clientSecret } = opening.sim.credentials;
      const fields = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
      const login = await opening.fetch(`${opening.sim.authUrl}/oauth`, {
        method: "POST",
        body: new URLSearchParams(fields),
      });
      const { access_token: token } = (await login.json()) as { access_token: string };
      const { iat } = JSON.parse(atob(token.split(".")[1] ?? "")) as { iat: number };
      notes.set("token", iat * 1000);
      return async (request: Request): Promise<Response> => {
        const { pathname } = new URL(request.url);
        if (pathname === "/jobs/refresh" && !notes.has("job")) notes.set("job", Date.now());
        if (pathname === "/hooks") {
          const { createdAt } = (await request.clone().json()) as { createdAt: string };
          notes.set("event", Date.parse(createdAt));
          const stamp = /t=(\d+)/.exec(request.headers.get("x-webhook-signature") ?? "");
          notes.set("stamp", Number(stamp?.[1]) * 1000);
        }
        return handler(request);
      };
    },
  };
  return options as unknown as ExamOptions<never>;
}

test.for([
  ["leap day", "2028-02-29T02:00:00Z"],
  ["31 January", "2026-01-31T02:00:00Z"],
  ["midnight in Manila", "2026-02-28T16:30:00Z"],
  ["end of a year", "2026-12-31T15:59:59Z"],
] as const)("every clock of a story begins at its moment: %s", async ([moment, at]) => {
  const notes = new Map<string, number>();
  const verdict = await exam({ ...noting(notes), replay: tokenFrom("order approved", moment) });
  expect(verdict).toMatchObject({ outcome: "passed", stories: 1 });
  expect([...notes.keys()].toSorted()).toEqual(["Date", "clock", "event", "job", "now", "stamp", "token"]);
  for (const [what, time] of notes) {
    expect(time, what).toBeGreaterThanOrEqual(Date.parse(at));
    expect(time, what).toBeLessThan(Date.parse(at) + DAY);
  }
});

test("a token without a moment plays from 1 January 2026", async () => {
  const notes = new Map<string, number>();
  await exam({ ...noting(notes), replay: tokenFrom("order approved") });
  expect(notes.get("clock")).toBe(Date.parse("2026-01-01T00:00:00Z"));
});

test("a story tells its moment, and its token plays it again", async () => {
  const wrongClub = examOfClub("counts 30 days");
  const replay = tokenFrom("join approved", "31 January");
  const [once, again] = [await exam({ ...wrongClub, replay }), await exam({ ...wrongClub, replay })];
  const [failure] = once.failures;
  expect(failure?.story.slice(0, 2)).toEqual([
    "It is 31 January 2026, 10:00 in Manila.",
    "Ana joins as member-1 with pm_card_approved.",
  ]);
  expect(failure?.what).toBe("member-1 is paid until 2026-03-02 in the books, and until 2026-02-28 at the service.");
  expect(failure?.token).toBe(replay);
  expect(again.digest).toBe(once.digest);
});

test("a moment that does not matter is left out of the shortest story", async () => {
  const flow = { name: "join approved", steps: [{ kind: "wait", milliseconds: 1 } as const] };
  const shortest = await shorten({ flow, troubles: [placed("story 1", "leap day")] }, ({ troubles }) =>
    Promise.resolve(troubles.length === 0),
  );
  expect(shortest.troubles).toEqual([]);
});

test("a story begins only once", async () => {
  const replay = tokenFrom("order approved", "leap day", "31 January");
  const { outcome, unfinished } = await exam({ ...examOfSmallShop(), replay });
  expect(outcome).toBe("unfinished");
  expect(unfinished).toContain("The trouble 31 January did not happen");
});
