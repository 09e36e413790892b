import net from "node:net";
import timers from "node:timers";
import timersPromises from "node:timers/promises";
import { createSimulator } from "centavo";
import { fakeDate, intercept } from "centavo/node";
import { startMerchant } from "centavo/testing";
import { describe, expect, test } from "vitest";
import { holdExit } from "../../src/kit/base/runtime/unfinished-work.ts";

/** What Centavo replaces, and how a test makes it do so. Each returns what puts it back. */
const replaced: Readonly<
  Record<string, readonly [owner: object, name: string, replace: () => Promise<() => unknown>]>
> = {
  Date: [globalThis, "Date", dateFollows],
  fetch: [globalThis, "fetch", intercepts],
  "net.Socket.prototype.connect": [net.Socket.prototype, "connect", intercepts],
  setTimeout: [globalThis, "setTimeout", startsMerchant],
  setInterval: [globalThis, "setInterval", startsMerchant],
  clearTimeout: [globalThis, "clearTimeout", startsMerchant],
  clearInterval: [globalThis, "clearInterval", startsMerchant],
  structuredClone: [globalThis, "structuredClone", startsMerchant],
  "setTimeout of node:timers": [timers, "setTimeout", startsMerchant],
  "setTimeout of node:timers/promises": [timersPromises, "setTimeout", startsMerchant],
  "setInterval of node:timers/promises": [timersPromises, "setInterval", startsMerchant],
  "scheduler.wait": [timersPromises.scheduler, "wait", startsMerchant],
  "AbortSignal.timeout": [AbortSignal, "timeout", startsMerchant],
  "process.reallyExit": [process, "reallyExit", async () => holdExit({ brokenOff: () => "" })],
};

describe("what Centavo replaces has every own property of the original, with its descriptor", () => {
  test.for(Object.entries(replaced))("%s", async ([, [owner, name, replace]]) => {
    const original = Reflect.get(owner, name) as object;
    const mark = Symbol("a mark of another tool");
    Object.defineProperty(original, mark, { value: "kept", configurable: true });
    const [before, shape] = [Object.getOwnPropertyDescriptor(owner, name), shapeOf(original)];
    const putBack = await replace();
    const standIn = Reflect.get(owner, name) as object;
    expect(standIn).not.toBe(original);
    expect(shapeOf(standIn)).toEqual(shape);
    expect(Object.getOwnPropertyDescriptor(owner, name)).toEqual({ ...before, value: standIn });
    await putBack();
    expect(Reflect.get(owner, name)).toBe(original);
    Reflect.deleteProperty(original, mark);
  });

  test("and owners that share a function share what stands in for it", async () => {
    const putBack = await startsMerchant();
    expect(globalThis.setTimeout).toBe(timers.setTimeout);
    await putBack();
  });
});

/** The own properties, whether each is enumerable, and the texts and numbers among them. */
function shapeOf(owner: object): Record<PropertyKey, unknown> {
  const ofFakes = new Set<PropertyKey>(["isFake", "isMock", Symbol.for("centavo.held-date")]);
  const keys = Reflect.ownKeys(owner).filter((key) => !ofFakes.has(key));
  return Object.fromEntries(
    keys.map((key) => {
      const property = Object.getOwnPropertyDescriptor(owner, key);
      const value: unknown = property?.value;
      const isPlain = typeof value === "string" || typeof value === "number";
      return [key, { enumerable: property?.enumerable, value: isPlain ? value : undefined }];
    }),
  );
}

async function dateFollows(): Promise<() => void> {
  const date = fakeDate(createSimulator());
  return () => date.close();
}

async function intercepts(): Promise<() => void> {
  const network = intercept(createSimulator());
  return () => network.close();
}

async function startsMerchant(): Promise<() => Promise<void>> {
  const sim = createSimulator();
  await startMerchant(sim, "https://shop.example", { open: () => () => new Response() });
  return () => sim.close();
}
