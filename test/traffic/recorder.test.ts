import { statSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { Recorder } from "../../src/traffic/recorder.ts";
import { harIn, newFile } from "./sandbox.ts";

const LARGEST = 10_000;

/** The warnings of the process from now on. */
function warnings(): string[] {
  const heard: string[] = [];
  const hear = ({ message }: Error): void => void heard.push(message);
  process.on("warning", hear);
  onTestFinished(() => void process.off("warning", hear));
  return heard;
}

/** Records a call that was answered. */
function call(recorder: Recorder, path: string, body: string): void {
  const url = `https://sandbox.pay.example/${path}`;
  const exchange = recorder.begin({ kind: "call", method: "POST", url, headers: [] });
  exchange.requestBody.add(Buffer.from(body));
  exchange.answer(200, "OK", []);
  exchange.end();
}

test("a recording ends before its file is too large to be read, and says so once", async () => {
  const file = newFile();
  const heard = warnings();
  const recorder = new Recorder("record", file, [], LARGEST);
  const waiting = recorder.begin({ kind: "call", method: "GET", url: "https://sandbox.pay.example/late", headers: [] });
  for (const path of ["1", "2", "3", "4", "5"]) call(recorder, path, "\u00e9".repeat(1200));
  waiting.end("It came too late.");
  expect(recorder.count).toBe(3);
  recorder.close();
  expect(harIn(file).map(({ request: { url } }) => url.slice(-1))).toEqual(["1", "2", "3"]);
  expect(statSync(file).size).toBeLessThan(LARGEST);
  await new Promise((resolve) => void setImmediate(resolve));
  expect(heard).toEqual([
    expect.stringMatching(
      /^The recording ".*shop\.har" is full: .* Begin another recording, with a file of its own\.$/,
    ),
  ]);
});

test("a file that stand-ins make longer leaves out the last exchanges", () => {
  const file = newFile();
  const recorder = new Recorder("record", file, [], LARGEST);
  for (const path of ["1", "2"]) call(recorder, path, "abcdef12 ".repeat(380));
  call(recorder, "3", '{"token":"abcdef12"}');
  expect(recorder.count).toBe(3);
  recorder.close();
  expect(harIn(file).map(({ request: { url } }) => url.slice(-1))).toEqual(["1"]);
  expect(recorder.count).toBe(1);
  expect(statSync(file).size).toBeLessThan(LARGEST);
});
