import { expect, test } from "vitest";
import { addressesIn, hubsIn, newTemporary, runScript } from "./runs.ts";

test.for(["", "0", "false"])(
  "with CENTAVO_INSPECT=%s a test loads nothing of the inspector, and starts none",
  async (value) => {
    const temporary = newTemporary();
    const { code, printed, warned } = await runScript(temporary, ["loaded.ts"], { inspect: value });
    expect({ code, printed, warned }).toEqual({ code: 0, printed: "[]", warned: "" });
    expect(hubsIn(temporary)).toEqual([]);
  },
);

test("with CENTAVO_INSPECT=1 it loads what writes its world, and nothing of a server", async () => {
  const { code, printed, warned } = await runScript(newTemporary(), ["loaded.ts"], { inspect: "1", ci: "true" });
  const files = JSON.parse(printed) as string[];
  expect(code).toBe(0);
  expect(files).toContain("written-world.ts");
  expect(files).not.toContain("serve.ts");
  expect(addressesIn(warned)).toHaveLength(1);
});
