import { expect, test } from "vitest";
import { inspectorDocument } from "../../src/server/inspector/document.ts";

const hashOf = async (text = ""): Promise<string> =>
  Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toString("base64");

test("the document allows its own script and style by their hashes, calls to its own server, and nothing else", async () => {
  const { html, policy } = inspectorDocument;
  const script = await hashOf(/<script>(.*?)<\/script>/s.exec(html)?.[1]);
  const style = await hashOf(/<style>(.*?)<\/style>/s.exec(html)?.[1]);
  expect(policy).toBe(
    `default-src 'none'; script-src 'sha256-${script}'; style-src 'sha256-${style}'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'`,
  );
  expect(/content="(default-src[^"]*)"/.exec(html)?.[1]).toBe(policy);
});

test("the document holds no data and names no address but its own", () => {
  const { html } = inspectorDocument;
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/ style=| on\w+="|<img|<link(?! rel="icon" href="data:,">)/);
  expect(
    html.match(/https?:\/\/[^\s"'`)\\]+/g)?.filter((address) => !address.startsWith("http://www.w3.org/")),
  ).toEqual([]);
});
