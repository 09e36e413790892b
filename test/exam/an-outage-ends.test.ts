import { exam } from "centavo/exam";
import type { ExamOptions } from "centavo/exam";
import { expect, test } from "vitest";
import { tokenOf } from "../../src/exam/token.ts";
import { flowsOf } from "../../src/exam/flows.ts";
import { readOptions } from "../../src/exam/read-options.ts";
import { placed } from "./placed.ts";
import { examOfClub, openSmallClub } from "./small-club.ts";
import type { Members } from "./small-club.ts";

/** A club that does what the remedy of leaves-for-good says: it notes who wants to leave, and cancels by a job until the service answers. */
const patientClub: ExamOptions<Members> = {
  ...examOfClub(),
  open: (opening) => {
    const handler = openSmallClub(opening);
    const { url } = opening;
    // No story of this test ends the program, so it may remember them.
    const leaving = new Set<string>();
    const cancelAll = async (): Promise<void> => {
      for (const id of leaving) {
        const answer = await handler(new Request(`${url}/leave`, { method: "POST", body: JSON.stringify({ id }) }));
        if (answer.ok) leaving.delete(id);
      }
    };
    return async (request: Request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/jobs/refresh") await cancelAll();
      if (pathname !== "/leave") return handler(request);
      leaving.add(((await request.json()) as { id: string }).id);
      await cancelAll();
      return new Response("We cancel as soon as the payment service answers.", { status: 202 });
    };
  },
};

test.for(["outage", "blackout", "silence"])(
  "the trouble %s ends within two days, so a club that cancels by a job cancels before the next renewal",
  async (name) => {
    const flow = flowsOf(readOptions(patientClub)).find((each) =>
      each.steps.some((step) => step.kind === "act" && step.act === "leave"),
    );
    if (flow === undefined) throw new Error("No flow leaves.");
    const replay = tokenOf({ flow, troubles: [placed("call subscription.cancel 1", name)] });
    const verdict = await exam({ ...patientClub, replay });
    expect(verdict.outcome, String(verdict)).toBe("passed");
  },
);
