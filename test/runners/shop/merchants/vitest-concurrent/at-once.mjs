import { withSimulator } from "centavo/vitest";
import { describe, expect, test as base } from "vitest";
import { note, noted } from "../../notes.cjs";
import { openMerchant } from "../express-axios.cjs";
import { merchantTestsWith } from "../tests.cjs";

/** Runs a merchant's tests at once in this file, while another file runs them, too. All share one base URL. */
export function runAtOnceWith(other, own) {
  // Ten tests run at once, and a busy machine is no reason to give up.
  const test = withSimulator(base, { receiverTimeout: 60_000 });
  let opened = 0;
  const allOpened = Promise.withResolvers();
  const open = async (configuration) => {
    opened += 1;
    if (opened === Object.keys(tests).length) allOpened.resolve();
    await allOpened.promise;
    note(`every test is open in file ${own}`, process.pid);
    await noted(`every test is open in file ${other}`);
    return openMerchant(configuration);
  };
  const tests = merchantTestsWith((actual, expected) => expect(actual).toBe(expected), open, `file-${own}`);
  describe.concurrent("at once", () => {
    for (const [title, run] of Object.entries(tests)) test(`file ${own}, at once: ${title}`, run);
  });
}
