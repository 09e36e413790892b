import * as z from "zod/mini";
import { describe, expect, test } from "vitest";
import { Table } from "../../src/kit/engine/table.ts";
import { UndoLog } from "../../src/kit/engine/undo-log.ts";

interface Shelf {
  readonly code?: string;
  readonly row?: string;
}

function shelves(): { log: UndoLog; table: Table<Shelf>; set: (id: string, shelf: Shelf) => void } {
  const log = new UndoLog();
  const table = new Table<Shelf>(log, "shelves", {
    row: z.any(),
    keys: { code: ({ code }) => code, row: ({ row }) => row },
  });
  return { log, table, set: (id, shelf) => log.run(() => table.set(id, shelf)) };
}

describe("an index", () => {
  test("follows its row from key to key, and out of the index", () => {
    const { table, set } = shelves();
    set("s1", { code: "A", row: "top" });
    expect([table.by("code", "A"), table.by("row", "top")]).toEqual([table.get("s1"), table.get("s1")]);
    set("s1", { code: "B", row: "top" });
    expect([table.by("code", "A"), table.by("code", "B"), table.by("row", "top")?.code]).toEqual([
      undefined,
      table.get("s1"),
      "B",
    ]);
    set("s1", {});
    expect([table.by("code", "B"), table.by("row", "top")]).toEqual([undefined, undefined]);
  });

  test("finds a row that is an empty text, until it changes", () => {
    const log = new UndoLog();
    const notes = new Table<string>(log, "notes", { row: z.string(), keys: { length: (note) => `${note.length}` } });
    log.run(() => notes.set("n1", ""));
    expect(notes.by("length", "0")).toBe("");
    log.run(() => notes.set("n1", "paid"));
    expect([notes.by("length", "0"), notes.by("length", "4")]).toEqual([undefined, "paid"]);
  });

  test("lets rows swap their keys by way of a third", () => {
    const { log, table, set } = shelves();
    set("s1", { code: "A" });
    set("s2", { code: "B" });
    log.run(() => {
      table.set("s1", {});
      table.set("s2", { code: "A" });
      table.set("s1", { code: "B" });
    });
    expect([table.by("code", "A"), table.by("code", "B")]).toEqual([table.get("s2"), table.get("s1")]);
  });

  test("refuses a key that another row has, naming both, and keeps what it had", () => {
    const { table, set } = shelves();
    set("s1", { code: "A" });
    expect(() => set("s2", { code: "A" })).toThrow(
      /row s2 of the table "shelves" has the same "code" as the row s1\. An index/,
    );
    expect(table.by("code", "A")).toBe(table.get("s1"));
    expect(table.size).toBe(1);
  });

  test("that was never declared is named beside those that were", () => {
    expect(() => shelves().table.by("colour", "red")).toThrow(/no index "colour"; it was declared with: code, row/);
  });

  test("with a function that throws leaves the table as it was", () => {
    const log = new UndoLog();
    const table = new Table<{ name: string | null }>(log, "people", {
      row: z.any(),
      keys: { name: ({ name }) => (name as string).trim() },
    });
    log.run(() => table.set("p1", { name: "Ana" }));
    expect(() => log.run(() => table.set("p1", { name: null }))).toThrow(TypeError);
    expect(table.by("name", "Ana")).toEqual({ name: "Ana" });
  });
});

describe("a table", () => {
  test("keeps its rows in order of creation through changes and rollbacks", () => {
    const { log, table, set } = shelves();
    for (const id of ["s2", "s1", "s3"]) set(id, {});
    set("s2", { code: "A" });
    const attempt = (): void => {
      table.set("s0", {});
      table.set("s1", { code: "B" });
      throw new Error("no");
    };
    expect(() => log.run(attempt)).toThrow("no");
    expect(table.entries()).toEqual([
      ["s2", { code: "A" }],
      ["s1", {}],
      ["s3", {}],
    ]);
    expect([...table.values()]).toEqual([{ code: "A" }, {}, {}]);
  });
});

describe("rows that are forgotten inside a unit", () => {
  test("are there until it has committed, and gone from the index then", () => {
    const { log, table, set } = shelves();
    set("s1", { code: "A" });
    log.run(() => {
      table.forget(["s1"]);
      expect(table.get("s1")).toEqual({ code: "A" });
    });
    expect([table.size, table.by("code", "A")]).toEqual([0, undefined]);
  });

  test("stay, in their order, if it throws", () => {
    const { log, table, set } = shelves();
    for (const id of ["s1", "s2", "s3"]) set(id, { code: id });
    const attempt = (): void => {
      table.forget(["s1", "s2"]);
      throw new Error("no");
    };
    expect(() => log.run(attempt)).toThrow("no");
    expect([...table.ids()]).toEqual(["s1", "s2", "s3"]);
    log.run(() => undefined);
    expect(table.by("code", "s1")).toEqual({ code: "s1" });
  });

  test("stay if the unit writes them again", () => {
    const { log, table, set } = shelves();
    set("s1", { code: "A" });
    log.run(() => {
      table.forget(["s1"]);
      table.set("s1", { code: "B" });
    });
    expect(table.by("code", "B")).toEqual({ code: "B" });
  });
});
