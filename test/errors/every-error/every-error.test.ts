import { join } from "node:path";
import { CentavoError, createSimulator } from "centavo";
import { ServiceError } from "centavo/client";
import { expect, test } from "vitest";
import { centavoErrorCodes } from "../../../src/kit/base/errors/centavo-error.ts";
import { beyondUsers } from "./beyond-users.ts";
import { allCauses } from "./cases.ts";
import { causing } from "./cause.ts";
import { sameInEveryRun } from "./folder.ts";
import { placesOf, sitesOfErrors } from "./sites.ts";

/** Errors that the test of a simulator cannot cause, but the author of a service on the kit can. */
const CAUSED_BY_AUTHORS: ReadonlySet<string> = new Set(["CLOCK_TIMER_FAILED", "MACHINE_DEFECT", "NESTED_UNIT"]);
const PROJECT = join(import.meta.dirname, "../../..");

const printed: string[] = [
  "# Every error, as a test prints it\n\nA change here is a change of what people read. Codes never change.\n",
];
const reached = new Set<string>();

const groups = [...centavoErrorCodes, "ServiceError"] as const;

test.for(groups)("%s is printed with what it is about, and with the way out", async (group) => {
  const cases = allCauses.flatMap((causes) => Object.entries(causes[group] ?? {}));
  expect(cases.length).toBeGreaterThan(0);
  const lines = [`## ${group}${CAUSED_BY_AUTHORS.has(group) ? " (caused by the author of a service)" : ""}\n`];
  for (const [title, cause] of cases) {
    const sim = createSimulator();
    const { text, error, told } = await causing(() => cause(sim));
    if (group === "ServiceError") expect.soft(error, title).toBeInstanceOf(ServiceError);
    else {
      expect.soft(error, title).toBeInstanceOf(CentavoError);
      expect.soft(error, title).toMatchObject({ code: group, name: "CentavoError" });
    }
    for (const place of told.flatMap(placesOf)) reached.add(place);
    expect.soft(text, title).toMatch(/[^\s:,]$/);
    expect.soft(text, title).not.toMatch(/"undefined"|\[object|: [:.]|(?<!\.)\.\.(?![./])/);
    const shown = sameInEveryRun(text.replaceAll(PROJECT, "/project")).replaceAll(/^(?=.)/gm, "    ");
    lines.push(`${title}\n\n${shown}\n`);
    await sim.close();
  }
  printed.push(lines.join("\n"));
});

test("the printed text is the one that was read and agreed", async () => {
  await expect(printed.join("\n")).toMatchFileSnapshot("every-error.md");
});

test("every place that makes an error has its case, or a reason why no user reaches it", () => {
  const left = sitesOfErrors().filter(({ place }) => !reached.has(place));
  const without = left.filter(({ within }) => !Object.hasOwn(beyondUsers, within));
  expect(without.map(({ place, within }) => `${place} in ${within}`)).toEqual([]);
  expect(Object.keys(beyondUsers)).toEqual([...new Set(left.map(({ within }) => within))]);
});
