import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import { createSimulator } from "centavo";
import { expect, onTestFinished, test, vi } from "vitest";
import { recordsFolder } from "../../src/testing/shake/run-folder.ts";
import { WatchedTests } from "../../src/testing/shake/watched-tests.ts";

const files = pathToFileURL(join(import.meta.dirname, "../../src/kit/base/runtime/files.ts")).href;

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "shake-records-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("threads of one process may write the record of the same test", async () => {
  const folder = newFolder();
  const program = `import { writeTextFile } from ${JSON.stringify(files)};
    for (let time = 0; time < 1000; time += 1) writeTextFile(${JSON.stringify(join(folder, "record.json"))}, "x".repeat(10000));`;
  const ended = [1, 2, 3].map(
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(program)}`));
        worker.once("error", reject).once("exit", resolve);
      }),
  );
  expect(await Promise.all(ended)).toEqual([0, 0, 0]);
  expect(readdirSync(folder)).toEqual(["record.json"]);
  expect(readFileSync(join(folder, "record.json"), "utf8")).toHaveLength(10_000);
});

test("a record that cannot be written fails no test that creates its simulator", async () => {
  const folder = newFolder();
  writeFileSync(recordsFolder(folder, 0), "a file in place of the folder");
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const tests = new WatchedTests({ folder, number: 0, plan: {} });
  tests.whyUnclear = () => "nobody knows whose it is";
  await tests.create({}, createSimulator).close();
  expect(warn.mock.calls.map(([message]) => message)).toEqual([
    expect.stringContaining("Centavo could not record what the test"),
  ]);
});
