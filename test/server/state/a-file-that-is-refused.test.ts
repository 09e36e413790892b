import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createSimulator } from "centavo";
import { connectSimulator } from "centavo/client";
import { serve } from "centavo/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { openState } from "../../../src/server/state/state.ts";
import { Merchant } from "../../merchant.ts";
import { worlds } from "../served.ts";
import { killedCopyOf, newStateFile } from "./state-files.ts";

/** A file of a server that was killed after a payment. */
async function fileOfAShop(): Promise<string> {
  const path = newStateFile();
  const sim = createSimulator();
  openState(path).follow("shop", {}, sim);
  const merchant = await Merchant.of(sim);
  await merchant.pay({}, "pm_card_approved");
  const copy = killedCopyOf(path);
  // Brings what was killed into one file.
  openState(copy).close();
  return copy;
}

function changed(path: string, statements: string): string {
  const database = new DatabaseSync(path);
  database.exec(statements);
  database.close();
  return path;
}

function another(content: string | Buffer): string {
  const path = newStateFile();
  writeFileSync(path, content);
  return path;
}

const files: Readonly<Record<string, readonly [file: () => string | Promise<string>, why: RegExp]>> = {
  "is no database": [
    () => another("Shopping list: milk, eggs, a payment service\n".repeat(40)),
    /not a state file of Centavo\. Give another file/,
  ],
  "is the database of another program": [
    () => changed(newStateFile(), "CREATE TABLE visits (url TEXT)"),
    /the database of another program\. Give another file/,
  ],
  "is the database of another program that writes ahead": [
    () => changed(newStateFile(), "PRAGMA journal_mode = WAL; CREATE TABLE visits (url TEXT)"),
    /the database of another program\. Give another file/,
  ],
  "is an empty database that another program has marked": [
    () => changed(newStateFile(), "PRAGMA application_id = 252006675"),
    /the database of another program/,
  ],
  "is from a newer version of Centavo": [
    async () => changed(await fileOfAShop(), "PRAGMA user_version = 2"),
    /a newer version of Centavo wrote it\. Use that version, or give another file/,
  ],
  "has lost its second half": [
    async () => {
      const content = readFileSync(await fileOfAShop());
      return another(content.subarray(0, content.length / 2));
    },
    /is damaged\. Put back a copy of it, or move it away/,
  ],
  "has pages that were overwritten": [
    async () => {
      const content = readFileSync(await fileOfAShop());
      return another(content.fill("x", 4096, 12_288));
    },
    /is damaged\. Put back a copy of it, or move it away/,
  ],
  "is a folder": [
    () => {
      const path = newStateFile();
      mkdirSync(path);
      return path;
    },
    /cannot be opened.*must not be a folder/,
  ],
  "is in a folder that does not exist": [
    () => `${dirname(newStateFile())}/shops/shop.db`,
    /cannot be opened\. Its folder has to exist/,
  ],
};

describe("a server refuses a state file that", () => {
  test.for(Object.entries(files))("%s, and leaves it as it is", async ([, [file, why]]) => {
    const path = await file();
    const before = everythingBeside(path);
    expect(() => openState(path)).toThrow(why);
    expect(() => openState(path)).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    expect(() => openState(path)).toThrow(`The state file ${path}: `);
    expect(everythingBeside(path)).toEqual(before);
  });

  test("another server of this process has open", () => {
    const path = newStateFile();
    const state = openState(path);
    expect(() => openState(path)).toThrow(
      /another server has it open\. Stop that server, or give each server a file of its own/,
    );
    state.follow("shop", {}, createSimulator());
    state.close();
    openState(path).close();
  });

  test("a server of another process has open", () => {
    const path = newStateFile();
    const state = openState(path);
    expect(opened(path)).toMatch(/another server has it open/);
    state.close();
    expect(opened(path)).toBe("opened\n");
  });

  test("it may not write", () => {
    const path = newStateFile();
    openState(path).close();
    chmodSync(path, 0o444);
    chmodSync(dirname(path), 0o555);
    expect(opened(path, nobody)).toMatch(/is read-only\. Make the file and its folder writable, or give another file/);
  });
});

describe("a world is not restored when", () => {
  test.for([
    ["an input", "UPDATE inputs SET text = replace(text, '10000', '90000')"],
    ["its snapshot", "UPDATE worlds SET beginning = replace(beginning, 'merchant@shop', 'pirate@shop')"],
    ["what a checksum says", "UPDATE inputs SET checksum = 'a' || checksum"],
  ] as const)("%s in the file was changed", async ([, statements]) => {
    const path = await fileOfAShop();
    changed(path, statements);
    const before = readFileSync(path);
    const state = openState(path);
    await expect(state.restore("shop", createSimulator())).rejects.toThrow(
      /was changed after it was written\. Put back a copy/,
    );
    state.close();
    expect(readFileSync(path)).toEqual(before);
  });
});

test("when one world of a server cannot be restored, the file keeps all others as they were", async () => {
  const path = newStateFile();
  await using server = await serve(createSimulator(), { state: path });
  const worldAt = (url: string) => connectSimulator(url, { token: server.token });
  await worlds(server, "/a", "PUT", {});
  await worlds(server, "/b", "PUT", {});
  for (const url of [server.url, `${server.url}/worlds/a`, `${server.url}/worlds/b`])
    await worldAt(url).make.intent({ status: "succeeded" });
  const copy = changed(killedCopyOf(path), "UPDATE inputs SET checksum = 'a' || checksum WHERE world = 'b'");
  const before = contentOf(copy);
  await expect(serve(createSimulator(), { state: copy })).rejects.toThrow(/was changed after it was written/);
  expect(contentOf(copy)).toEqual(before);
});

function contentOf(path: string): unknown {
  const database = new DatabaseSync(path);
  const content = ["worlds", "inputs"].map((table) => database.prepare(`SELECT * FROM ${table}`).all());
  database.close();
  return content;
}

/** Root may write everything. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

function opened(path: string, as: { readonly uid?: number; readonly gid?: number } = {}): string {
  const program = `
    import { openState } from ${JSON.stringify(new URL("../../../src/server/state/state.ts", import.meta.url).href)};
    openState(process.argv[1]);
    console.log("opened");`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program, path], {
    encoding: "utf8",
    ...as,
  });
  return stdout + stderr;
}

function everythingBeside(path: string): object {
  const folder = dirname(path);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).map((entry) => [
    entry.name,
    entry.isFile() ? readFileSync(`${folder}/${entry.name}`).toString("hex") : "",
  ]);
}

test.each(["", ":memory:", "file:shop.db?mode=memory"])(
  "a path of which SQLite would keep nothing is that of a file: %j",
  async (state) => {
    const before = process.cwd();
    process.chdir(dirname(newStateFile()));
    onTestFinished(() => process.chdir(before));
    const server = serve(createSimulator(), { state });
    if (state === "") return expect(server).rejects.toThrow(/it must not be a folder/);
    await (await server).close();
    return expect(statSync(state).size).toBeGreaterThan(0);
  },
);
