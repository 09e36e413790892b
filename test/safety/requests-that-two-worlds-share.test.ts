import { describe, expect, test } from "vitest";
import { idsInAddress, textsIn } from "../../src/adapters/clues.ts";
import { growthOf, MOST_GROWTH } from "./growth.ts";

const form = new Headers({ "content-type": "application/x-www-form-urlencoded" });
const json = new Headers({ "content-type": "application/json" });

function repeated(part: string, length: number): string {
  return part.repeat(Math.ceil(length / part.length));
}

describe("what tells worlds apart is found in time that grows with the request", () => {
  test.each(["/", "/a", "%41/", "%/", "/pi_0123456789abcdefghijklmn", "?a=b&", "&&", "?id=0123456789abcdef&"])(
    "in an address full of %s",
    async (part) => {
      const growth = await growthOf((length) => {
        const url = new URL(`https://api.pay.example/${repeated(part, length)}`);
        return () => idsInAddress(url);
      });
      expect(growth).toBeLessThan(MOST_GROWTH);
    },
  );

  test.each([
    ["JSON", '"', json],
    ["JSON", '\\"', json],
    ["JSON", '"\\', json],
    ["JSON", "[", json],
    ["JSON", '"a":', json],
    ["a form", "a=&", form],
    ["a form", "%", form],
  ])("in a body of %s full of %s, of which only the head is read", async (_kind, part, headers) => {
    const growth = await growthOf((length) => {
      const body = repeated(part, length);
      return () => textsIn(body, headers);
    });
    expect(growth).toBeLessThan(MOST_GROWTH);
  });

  test("a text with escapes is read as JSON reads it, and one that is cut short is left out", () => {
    expect(textsIn(String.raw`{"client_id":"my \"shop\"","secret":"cut`, json)).toEqual([
      "client_id",
      'my "shop"',
      "secret",
    ]);
    expect(textsIn("client_id=my+shop&client_secret=cu", form)).toEqual(["my shop", "cu"]);
    expect(idsInAddress(new URL("https://a.example/short/pi_0123456789%61bcdefgh?x=sixteen-letters!"))).toEqual([
      "pi_0123456789abcdefgh",
      "sixteen-letters!",
    ]);
  });
});
