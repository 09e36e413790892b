import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CentavoError, createSimulator, replay } from "centavo";
import { describe, expect, test, vi } from "vitest";
import { Merchant } from "../merchant.ts";

const folder = mkdtempSync(join(tmpdir(), "centavo-"));

function fileOf(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const shared = fileOf(
  "shared.json",
  '{ "checkout.lifetime": "30 minutes", "intent.pending": "requires_payment_method" }',
);

function refusalOf(path: string): string {
  try {
    createSimulator({ assumptions: path });
  } catch (error) {
    expect(error).toBeInstanceOf(CentavoError);
    expect(error).toMatchObject({ code: "INVALID_ASSUMPTION" });
    return (error as Error).message;
  }
  return "not refused";
}

test("the option takes the path of a JSON file, and its values take effect", async () => {
  const sim = createSimulator({ assumptions: shared });
  const merchant = await Merchant.of(sim);
  await merchant.pay();
  expect(sim.assumptions.used().filter(({ changed }) => changed)).toMatchObject([
    { id: "intent.pending", value: "requires_payment_method" },
  ]);
});

test("a file that begins with a byte order mark is read like any other", () => {
  expect(() => createSimulator({ assumptions: fileOf("marked.json", '\uFEFF{ "webhook.retries": 3 }') })).not.toThrow();
});

test("a run without the file replays, because its recording has the values", async () => {
  const sim = createSimulator({ assumptions: shared });
  const merchant = await Merchant.of(sim);
  await merchant.pay();
  const recording = sim.recording();
  expect(recording.options.assumptions).toEqual({
    "checkout.lifetime": "30 minutes",
    "intent.pending": "requires_payment_method",
  });
  expect((await replay(recording)).journal.digest()).toBe(sim.journal.digest());
});

describe("a refusal names the file, and says of", () => {
  test.each([
    ["a missing file", join(folder, "nowhere.json"), "cannot be read: ENOENT"],
    ["a folder", folder, "cannot be read: EISDIR"],
    ["broken JSON", fileOf("broken.json", "{ checkout: 1 }"), "is not JSON: "],
    ["an empty file", fileOf("empty.json", ""), "is not JSON: "],
    ["a list", fileOf("list.json", "[]"), "holds [], and assumptions are one object by id"],
    ["null", fileOf("null.json", "null"), "holds null, and assumptions are one object by id"],
    ["an unknown row", fileOf("unknown.json", '{ "checkout.lifetim": 1 }'), 'The nearest is "checkout.lifetime"'],
    ["a row of the prototype", fileOf("prototype.json", '{ "__proto__": 1 }'), 'no assumption has the id "__proto__"'],
    ["a fixed row", fileOf("fixed.json", '{ "time.format": "unix" }'), 'the assumption "time.format" is fixed'],
    ["a wrong value", fileOf("wrong.json", '{ "webhook.retries": "many" }'), 'is "many". It takes a whole number'],
  ])("%s what is wrong", (_, path, why) => {
    const message = refusalOf(path);
    expect(message).toContain(`createSimulator: the file of assumptions ${JSON.stringify(path)}`);
    expect(message).toContain(why);
  });

  test("a process without a file system what to give instead", () => {
    const getBuiltin = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined);
    try {
      expect(refusalOf(shared)).toContain("this process has no file system. Give the assumptions themselves");
    } finally {
      getBuiltin.mockRestore();
    }
  });
});

test("a recording cannot name a file to read", async () => {
  const recording = createSimulator().recording();
  await expect(
    replay({ ...recording, options: { ...recording.options, assumptions: shared as never } }),
  ).rejects.toMatchObject({ code: "INVALID_RECORDING" });
});
