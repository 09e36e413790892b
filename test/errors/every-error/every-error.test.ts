import { CentavoError, createSimulator } from "centavo";
import { expect, test } from "vitest";
import { centavoErrorCodes } from "../../../src/errors/centavo-error.ts";
import { causes } from "./cases.ts";

/** Errors that the test of a simulator cannot cause, but the author of a service on the kit can. */
const CAUSED_BY_AUTHORS: ReadonlySet<string> = new Set(["CLOCK_TIMER_FAILED", "MACHINE_DEFECT", "NESTED_UNIT"]);

async function thrownBy(cause: () => unknown): Promise<unknown> {
  try {
    await cause();
  } catch (error) {
    return error;
  }
  return undefined;
}

const printed: string[] = [
  "# Every error, as a test prints it\n\nA change here is a change of what people read. Codes never change.\n",
];

test.for(centavoErrorCodes)("%s is printed with what it is about, and with the way out", async (code) => {
  const cases = Object.entries(causes[code]);
  expect(cases.length).toBeGreaterThan(0);
  const lines = [`## ${code}${CAUSED_BY_AUTHORS.has(code) ? " (caused by the author of a service)" : ""}\n`];
  for (const [title, cause] of cases) {
    const sim = createSimulator();
    const error = await thrownBy(() => cause(sim));
    expect(error, title).toBeInstanceOf(CentavoError);
    expect(error, title).toMatchObject({ code, name: "CentavoError" });
    const { message } = error as CentavoError;
    expect(message, title).toMatch(/[^\s:,]$/);
    expect(message, title).not.toMatch(/"undefined"|\[object|: [:.]|(?<!\.)\.\.(?!\.)/);
    lines.push(`${title}\n\n${message.replaceAll(/^(?=.)/gm, "    ")}\n`);
    await sim.close();
  }
  printed.push(lines.join("\n"));
});

test("the printed text is the one that was read and agreed", async () => {
  await expect(printed.join("\n")).toMatchFileSnapshot("every-error.md");
});
