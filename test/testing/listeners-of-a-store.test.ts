import { EventEmitter } from "node:events";
import { createSimulator } from "centavo";
import { startMerchant } from "centavo/testing";
import { expect, test } from "vitest";

const SHOP = "https://shop.example";

/** Opens a store whose events a program listens to, and returns what it heard. */
async function heardBy<Store extends object>(open: () => Store, listen: (store: Store, listener: () => void) => void) {
  let heard = 0;
  await using shop = await startMerchant<Store>(createSimulator(), SHOP, {
    store: { open, isWrite: () => false },
    open: ({ store }) => {
      listen(store, () => (heard += 1));
      return () => new Response();
    },
  });
  expect(shop.isRunning).toBe(true);
  return heard;
}

const pairs = [
  ["on", "off"],
  ["once", "off"],
  ["addListener", "removeListener"],
  ["prependListener", "removeListener"],
] as const;

test.for(pairs)("a listener that a program adds to its store by %s is gone after %s", async ([add, remove]) => {
  const heard = await heardBy(
    () => new EventEmitter(),
    (store, listener) => {
      const other = (): void => listener();
      store[add]("change", listener)[add]("change", listener)[add]("change", other);
      store[remove]("change", listener)[remove]("change", listener).emit("change");
    },
  );
  expect(heard).toBe(1);
});

test("a listener that a program adds to two parts of its store is gone from the one that it leaves", async () => {
  const heard = await heardBy(
    () => ({ one: new EventEmitter(), other: new EventEmitter() }),
    ({ one, other }, listener) => {
      for (const part of [one, other]) part.on("change", listener);
      one.off("change", listener);
      for (const part of [one, other]) part.emit("change");
    },
  );
  expect(heard).toBe(1);
});

test("a program listens once to an event target to which it adds a listener twice, and not after it removes it", async () => {
  const heard = await heardBy(
    () => new EventTarget(),
    (store, listener) => {
      for (const _time of [1, 2]) store.addEventListener("change", listener);
      store.dispatchEvent(new Event("change"));
      store.removeEventListener("change", listener);
      store.dispatchEvent(new Event("change"));
    },
  );
  expect(heard).toBe(1);
});
