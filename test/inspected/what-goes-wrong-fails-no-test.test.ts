import { existsSync, globSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { addressesIn, hubsIn, newTemporary, runScript, untilOneHub } from "./runs.ts";
import { signIn, worldsWhen } from "./signed-in.ts";

const uid = process.getuid?.() ?? "runs";
const paid = (worlds: number): string[] =>
  Array.from({ length: worlds }, (_, index) => `${index + 1}: 2026-01-21T00:00:00.000Z`);

test("worlds are shown as ended when their process has ended, and the inspector waits to be looked at", async () => {
  const { code, lines, warned } = await runScript(newTemporary(), ["pay.ts", "3"]);
  expect({ code, lines }).toEqual({ code: 0, lines: paid(3) });
  const [address = "", ...others] = addressesIn(warned);
  expect(others).toEqual([]);
  const worlds = await worldsWhen(await signIn(address), (all) => all.length === 3 && all.every((one) => one.isEnded));
  expect(worlds.map(({ title, now }) => [title, now])).toEqual(
    [1, 2, 3].map((number) => [`pay.test.ts > pays ${number}`, "2026-01-21T00:00:00.000Z"]),
  );
});

test("a process that is killed in the middle of its world leaves that world as it was", async () => {
  const temporary = newTemporary();
  const { signal } = await runScript(temporary, ["pay.ts", "2", "killed"]);
  expect(signal).toBe("SIGKILL");
  await untilOneHub(temporary);
  const call = await signIn(hubsIn(temporary)[0]?.url ?? "");
  const worlds = await worldsWhen(call, (all) => all.length === 2 && all.every((one) => one.isEnded));
  expect(worlds.map(({ now }) => now)).toEqual(["2026-01-21T00:00:00.000Z", "2026-01-11T00:00:00.000Z"]);
});

test("an inspector that is killed is started again with the next world, up to three times", async () => {
  const { code, lines, warned } = await runScript(newTemporary(), ["pay.ts", "7", "kills"]);
  expect({ code, lines }).toEqual({ code: 0, lines: paid(7) });
  expect(new Set(addressesIn(warned)).size).toBe(4);
});

test("another run replaces the inspector of a run that has ended and that nobody looks at", async () => {
  const temporary = newTemporary();
  await runScript(temporary, ["pay.ts"]);
  const [first] = hubsIn(temporary);
  await runScript(temporary, ["pay.ts"]);
  await untilOneHub(temporary);
  expect(hubsIn(temporary)[0]?.pid).not.toBe(first?.pid);
});

test.for(["is closed", "signs out"])("an inspector whose page is open stays until the page %s", async (how) => {
  const temporary = newTemporary();
  const { warned } = await runScript(temporary, ["pay.ts"]);
  const call = await signIn(addressesIn(warned)[0] ?? "");
  const [first] = hubsIn(temporary);
  const page = new AbortController();
  const { body } = await call("/_centavo/inspector/worlds", { signal: page.signal });
  await body?.getReader().read();
  const another = await runScript(temporary, ["pay.ts"]);
  // The newer one has told it by now, and it has had its turn.
  await worldsWhen(await signIn(addressesIn(another.warned)[0] ?? ""), (all) => all.some(({ isEnded }) => isEnded));
  await worldsWhen(call, (all) => all.some(({ isEnded }) => isEnded));
  expect(hubsIn(temporary).map(({ pid }) => pid)).toContain(first?.pid);
  if (how === "is closed") page.abort();
  else await call("/_centavo/inspector/sign-out", { method: "POST" });
  await untilOneHub(temporary);
  expect(hubsIn(temporary).map(({ pid }) => pid)).not.toContain(first?.pid);
});

test("the address that nobody has used lets a browser in for as long as the inspector runs, and each use makes another", async () => {
  const temporary = newTemporary();
  const { warned } = await runScript(temporary, ["pay.ts"]);
  const [printed = ""] = addressesIn(warned);
  await signIn(printed);
  await expect(signIn(printed)).rejects.toThrow("The inspector answered 401.");
  await vi.waitFor(() => expect(hubsIn(temporary)[0]?.url).not.toBe(printed), { timeout: 60_000, interval: 20 });
  await signIn(hubsIn(temporary)[0]?.url ?? "");
});

test("in CI the inspector ends with its run, and leaves no file", async () => {
  const temporary = newTemporary();
  await runScript(temporary, ["pay.ts"], { ci: "true" });
  const patience = { timeout: 60_000, interval: 20 };
  await vi.waitFor(() => expect(globSync("centavo-inspector-*/*", { cwd: temporary })).toEqual([]), patience);
  expect(existsSync(temporary)).toBe(true);
});

test("a full disk stops what is shown, with one warning", async () => {
  // No file may have more than a block of 512 bytes, as on a disk that is full.
  const limit = "ulimit -f 1; trap '' XFSZ";
  const { code, lines, warned } = await runScript(newTemporary(), ["pay.ts", "3"], { limit });
  expect({ code, lines }).toEqual({ code: 0, lines: paid(3) });
  expect(warned.match(/The inspector does not show all worlds of this run: EFBIG/g)).toHaveLength(1);
});

test.for<[what: string, make: (folder: string) => void, why: string]>([
  ["can be read by others", (folder) => mkdirSync(folder, { mode: 0o755 }), "others can read it"],
  ["is a link", (folder) => symlinkSync(tmpdir(), folder), "is not a folder"],
  ["is a file", (folder) => writeFileSync(folder, ""), "is not a folder"],
])("nothing is written into a folder that %s, and a warning says so once", async ([, make, why]) => {
  const temporary = newTemporary();
  make(join(temporary, `centavo-inspector-${uid}`));
  const { code, lines, warned } = await runScript(temporary, ["pay.ts", "2"]);
  expect({ code, lines }).toEqual({ code: 0, lines: paid(2) });
  expect(warned.match(/The inspector does not show all worlds of this run/g)).toHaveLength(1);
  expect(warned).toContain(why);
});

test("a folder for temporary files that is gone is a warning", async () => {
  const { code, lines, warned } = await runScript(join(newTemporary(), "gone"), ["pay.ts", "2"]);
  expect({ code, lines }).toEqual({ code: 0, lines: paid(2) });
  expect(warned.match(/The inspector does not show all worlds of this run: ENOENT/g)).toHaveLength(1);
});
