import { expect, test } from "vitest";
import { nodes } from "../../nodes.ts";
import { examinedBy } from "./elsewhere.ts";

test(
  "two thousand stories are the same, with the same verdict and digest, in two processes and on three versions of Node",
  { timeout: 3_600_000 },
  async () => {
    const shop = { file: "small-shop.ts", options: "examOfSmallShop()", stories: 2000 };
    const [first, ...others] = await Promise.all(
      [process.execPath, ...Object.values(nodes)].map((node) => examinedBy(node, shop)),
    );
    expect(first).toMatchObject({ stories: 2000, passed: true });
    for (const other of others) expect(other).toEqual(first);
  },
);
