import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { compiled } from "../../docs/compiled.ts";
import { examplesBeside } from "../../docs/examples.ts";
import { runnable } from "../../docs/runnable.ts";

const folder = join(import.meta.dirname, "extracted");

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  vi.stubEnv("WEBHOOK_SECRET", "whsec_dGVzdA==");
});
afterAll(() => {
  rmSync(folder, { recursive: true });
  vi.unstubAllEnvs();
});

describe("an example of the documentation that imports another package", () => {
  test("has types, as all of them", () => {
    expect(examplesBeside.length).toBeGreaterThan(2);
    expect(compiled(examplesBeside, join(import.meta.dirname, "compiled"))).toBe("");
  });

  test.for(examplesBeside)("$name", async ({ file, code }) => {
    const assert = vi.spyOn(console, "assert");
    writeFileSync(join(folder, file), runnable(code));
    await import(join(folder, file));
    for (const [holds] of assert.mock.calls) expect(holds).toBe(true);
    assert.mockRestore();
  });
});
