import { expect, test } from "vitest";
import { copyOf } from "../../../src/merchant/process/copies.ts";
import { seenValue, unproxied } from "../../../src/merchant/process/seen-values.ts";

/** A store whose writes are counted. */
function watched<Value>(value: Value) {
  const writes = { count: 0 };
  return { store: seenValue(value, () => (writes.count += 1)), writes, plain: value };
}

const order = () => ({ id: "o1", status: "pending", items: [{ name: "book", count: 1 }], at: new Date(0) });

test("sees a write to a Map, to an object in it, and to an array in that", () => {
  const { store, writes, plain } = watched(new Map([["o1", order()]]));
  store.set("o2", order());
  expect(writes.count).toBe(1);
  const first = store.get("o1");
  if (first === undefined) throw new Error("The order is gone.");
  first.status = "paid";
  expect(writes.count).toBe(2);
  first.items.push({ name: "pen", count: 2 });
  expect(writes.count).toBeGreaterThan(2);
  expect(plain.get("o1")).toMatchObject({ status: "paid", items: [{ name: "book" }, { name: "pen" }] });
});

test.for<[string, (store: Map<string, ReturnType<typeof order>>) => unknown]>([
  ["get and has", (store) => [store.get("o1"), store.has("o1"), store.size]],
  ["for of", (store) => [...store]],
  ["values", (store) => [...store.values()]],
  ["the first value", (store) => store.values().next().value],
  ["keys", (store) => [...store.keys()]],
  ["forEach", (store) => store.forEach((each) => each.items.length)],
  ["a copy", (store) => new Map(store)],
  ["groups", (store) => Map.groupBy(store.values(), ({ status }) => status)],
  ["JSON", (store) => JSON.stringify([...store])],
  ["entries of an object", (store) => Object.entries(store.get("o1") ?? {})],
  ["a spread object", (store) => ({ ...store.get("o1") })],
  ["a sorted copy", (store) => store.get("o1")?.items.toSorted((one, other) => one.count - other.count)],
  [
    "a destructured order",
    (store) =>
      [...store].map(
        ([
          ,
          {
            status,
            items: [item],
          },
        ]) => [status, item],
      ),
  ],
])("counts no write for reading: %s", ([, read]) => {
  const { store, writes } = watched(new Map([["o1", order()]]));
  read(store);
  expect(writes.count).toBe(0);
});

test.for<[string, (store: Map<string, ReturnType<typeof order>>) => ReturnType<typeof order> | undefined]>([
  ["values()", (store) => [...store.values()][0]],
  ["entries()", (store) => [...store.entries()][0]?.[1]],
  ["for of", (store) => [...store][0]?.[1]],
  ["Array.from", (store) => Array.from(store.values()).find(({ id }) => id === "o1")],
  ["a copy of the Map", (store) => new Map(store).get("o1")],
  ["groups", (store) => Map.groupBy(store.values(), ({ status }) => status).get("pending")?.[0]],
])("sees a write to what comes out of %s", ([, find]) => {
  const { store, writes, plain } = watched(new Map([["o1", order()]]));
  const found = find(store);
  if (found === undefined) throw new Error("Nothing was found.");
  found.status = "paid";
  expect(writes.count).toBe(1);
  expect(plain.get("o1")?.status).toBe("paid");
});

test("gives the same object for the same value", () => {
  const { store } = watched({ orders: new Map([["o1", order()]]), open: new Set([1]) });
  expect(store.orders).toBe(store.orders);
  expect(store.orders.get("o1")).toBe(store.orders.get("o1"));
  expect(store.orders.get("o1")).toBe([...store.orders.values()][0]);
  expect(store.orders.set("o2", order())).toBe(store.orders);
  expect(store.open.add(2)).toBe(store.open);
});

test("finds a value that the program still holds as it was", () => {
  const item = { name: "pen", count: 1 };
  const { store } = watched({ items: [item] });
  expect(store.items.includes(item)).toBe(true);
  expect(store.items.indexOf(store.items[0] as typeof item)).toBe(0);
  const keyed = watched(new Map([[item, 1]]));
  expect(keyed.store.get(item)).toBe(1);
  expect(keyed.store.get([...keyed.store.keys()][0] as typeof item)).toBe(1);
});

test("keeps no proxy in the store", () => {
  const { store, plain } = watched(new Map<string, object>([["o1", order()]]));
  const first = store.get("o1") as object;
  store.set("again", first);
  expect(plain.get("again")).toBe(unproxied(first));
});

test("is a Map, a Set, an array and an object, as the merchant expects", () => {
  const { store } = watched({ map: new Map(), set: new Set([1, 2]), list: [3, 1, 2], none: null });
  expect(store.map).toBeInstanceOf(Map);
  expect(store.set).toBeInstanceOf(Set);
  expect(Array.isArray(store.list)).toBe(true);
  expect(store.list.fill(7)).toBe(store.list);
  expect(store.list).toEqual([7, 7, 7]);
  expect(new Set([...store.set, 3]).size).toBe(3);
  expect(Object.prototype.toString.call(store.map)).toBe("[object Map]");
  expect("map" in store).toBe(true);
  expect(Object.keys(store)).toEqual(["map", "set", "list", "none"]);
});

test("a list among the values of a Map stays the list", () => {
  const { store, plain } = watched(new Map([["o1", [1]]]));
  for (const list of store.values()) list.push(2);
  expect(plain.get("o1")).toEqual([1, 2]);
});

test("lets getters, setters and symbols work, and sees what they write", () => {
  const hidden = Symbol("hidden");
  const { store, writes } = watched({
    paid: 0,
    [hidden]: { count: 0 },
    get isPaid() {
      return this.paid > 0;
    },
    set amount(amount: number) {
      this.paid = amount;
    },
  });
  store.amount = 5;
  expect(store.isPaid).toBe(true);
  expect(writes.count).toBe(1);
  store[hidden].count += 1;
  expect(writes.count).toBe(2);
});

test("hands out an instance of a class as it is, with its private parts", () => {
  class Order {
    #status = "pending";
    get status() {
      return this.#status;
    }
    pay() {
      this.#status = "paid";
    }
  }
  const { store } = watched(new Map([["o1", new Order()]]));
  store.get("o1")?.pay();
  expect(store.get("o1")?.status).toBe("paid");
  expect(store.get("o1")).toBeInstanceOf(Order);
});

test("dates keep working", () => {
  const { store } = watched(new Map([["o1", order()]]));
  expect(store.get("o1")?.at.getTime()).toBe(0);
});

test("reads a frozen object, and refuses to change it", () => {
  "use strict";
  const { store } = watched({ frozen: Object.freeze({ list: [1], name: "a" }) });
  expect(store.frozen.list).toEqual([1]);
  expect(Object.isFrozen(store.frozen)).toBe(true);
  expect(() => Object.assign(store.frozen, { name: "b" })).toThrow(TypeError);
});

test("freezes, deletes and defines as on the plain object", () => {
  const { store, plain, writes } = watched<{ order: Record<string, unknown> }>({ order: { a: 1, b: 2 } });
  delete store.order["a"];
  Object.defineProperty(store.order, "c", { value: 3, enumerable: true });
  Object.freeze(store.order);
  expect(plain.order).toEqual({ b: 2, c: 3 });
  expect(Object.isFrozen(plain.order)).toBe(true);
  expect(writes.count).toBeGreaterThan(2);
});

test("a copy shares nothing with what it was made of, and has no proxy in it", () => {
  const { store } = watched<Map<string, unknown>>(new Map<string, unknown>([["o1", order()]]));
  const first = store.get("o1") as ReturnType<typeof order>;
  // A spread object holds the proxies of its parts.
  store.set("o2", { ...first, id: "o2" });
  const copy = copyOf(store) as Map<string, ReturnType<typeof order>>;
  first.items.push({ name: "late", count: 1 });
  expect(copy.get("o2")?.items).toEqual([{ name: "book", count: 1 }]);
  expect(copy.get("o2")?.items).toBe(copy.get("o1")?.items);
  expect(unproxied(copy.get("o2")?.items)).toBe(copy.get("o2")?.items);
  expect(structuredClone(copy).size).toBe(2);
});

test("a copy has the same circles, frozen parts, holes and symbols", () => {
  const circle: { self?: unknown; list: unknown[]; frozen: object } = {
    list: sparse(),
    frozen: Object.freeze({ a: 1 }),
  };
  circle.self = circle;
  const copy = copyOf(circle);
  expect(copy.self).toBe(copy);
  expect(copy.list).toHaveLength(3);
  expect(1 in copy.list).toBe(false);
  expect(Object.isFrozen(copy.frozen)).toBe(true);
  expect(copy.frozen).not.toBe(circle.frozen);
});

/** A list with holes. */
function sparse(): unknown[] {
  const list: unknown[] = [];
  list.length = 3;
  return list;
}
