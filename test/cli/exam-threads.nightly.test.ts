import { expect, test } from "vitest";
import { BOOKS_WITH_STOCK, examIn as exam, folderOf, paceless } from "./exam-folder.ts";

test("prints the same with any number of threads, also of stock", async () => {
  const folder = folderOf({ mistake: "fulfils each time", more: BOOKS_WITH_STOCK });
  const [alone, three, five] = await Promise.all(
    ["1", "3", "5"].map(async (jobs) => exam(folder, "shop.exam.ts", "--stories", "60", "--jobs", jobs, "--coverage")),
  );
  expect(alone?.text).toContain("60 stories were played");
  expect(paceless(three?.text ?? "")).toBe(paceless(alone?.text ?? ""));
  expect(paceless(five?.text ?? "")).toBe(paceless(alone?.text ?? ""));
});

test("says that the shop of a thread calls process.exit", async () => {
  const { code, text } = await exam(folderOf({ open: "process.exit(0)" }), "shop.exam.ts", "--jobs", "2");
  expect(text).toContain("process.exit(0) was called before the exam was over, while the merchant's program started.");
  expect(code).toBe(2);
});

test("ends threads that never yield, and tells the act and the place of a loop in a callback", async () => {
  const loop = "new Promise(() => process.nextTick(() => { for (;;); }))";
  const folder = folderOf({ open: `return () => ${loop}`, more: "longestWait: 1," });
  const { code, text } = await exam(folder, "shop.exam.ts", "--jobs", "2");
  expect(text).toContain(
    "The merchant's program did not yield for 1 seconds of real time, while it answered POST /orders (the act order of order-1). A loop in it never ends.",
  );
  expect(code).toBe(1);
});
