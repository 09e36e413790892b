import { describe, expect, test } from "vitest";
import { hostileRun, hostileTexts } from "./hostile-shop.ts";
import { runIn } from "./read-report.ts";

const sim = await hostileRun();
const html = await sim.report();

describe("hostile texts in every field", () => {
  test("end no element of the document and begin none", () => {
    expect(html.match(/<\/script>/g)).toHaveLength(2);
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html).not.toMatch(/<img|<svg onload|<!--/);
  });

  test("arrive as the texts that they are", () => {
    const run = runIn(html);
    const all = JSON.stringify(run);
    expect(all).toContain(JSON.stringify(hostileTexts.comment).slice(1, -1));
    expect(all).toContain("</script><img src=x");
    expect(run.seed).toBe(hostileTexts.markup);
  });

  test("turn no direction, and hold no control character and no half of a character", () => {
    // eslint-disable-next-line no-control-regex -- these are what is looked for
    expect(html).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u2028-\u202E\u2066-\u2069]/);
    expect(html.isWellFormed()).toBe(true);
    expect(JSON.stringify(runIn(html))).toContain(String.raw`\\u202e`);
  });

  test("of any length leave the report at a size that a browser opens", () => {
    expect(html.length).toBeLessThan(1_000_000);
    const cut = runIn(html)
      .rows.flatMap(({ parts }) => parts)
      .filter((part) => part.cut !== undefined);
    expect(cut.length).toBeGreaterThan(0);
  });
});

test("the policy allows the script and the style by their hashes, and nothing else", async () => {
  const policy = /content="(default-src[^"]*)"/.exec(html)?.[1] ?? "";
  const hashOf = async (text = ""): Promise<string> =>
    Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("base64");
  const style = /<style>(.*?)<\/style>/s.exec(html)?.[1];
  const script = /<script>(.*?)<\/script>/s.exec(html)?.[1];
  expect(policy).toBe(
    `default-src 'none'; script-src 'sha256-${await hashOf(script)}'; style-src 'sha256-${await hashOf(style)}'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(html).not.toMatch(/ style=| on\w+="/.exec(html.replaceAll(/<script.*?<\/script>/gs, ""))?.[0] ?? "\0");
});
