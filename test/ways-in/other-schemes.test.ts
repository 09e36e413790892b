import { intercept, type Network } from "centavo/node";
import { afterEach, beforeEach, expect, test } from "vitest";
import { echoService } from "./echo-service.ts";

let network: Network;

beforeEach(() => {
  network = intercept(echoService());
});

afterEach(() => network.close());

test("a data: URL is read as without interception", async () => {
  expect(await (await fetch("data:text/plain,hello")).text()).toBe("hello");
});

test("a blob: URL is read as without interception", async () => {
  const url = URL.createObjectURL(new Blob(["hello"]));
  expect(await (await fetch(url)).text()).toBe("hello");
  URL.revokeObjectURL(url);
});

test.each(["ws://elsewhere.example", "file:///etc/hosts", "about:blank", "javascript:1"])(
  "%s fails as without interception, and no message suggests to allow it",
  async (url) => {
    const error: unknown = await fetch(url).catch((reason: unknown) => reason);
    network.close();
    const real: unknown = await fetch(url).catch((reason: unknown) => reason);
    expect(String((error as Error).cause)).toBe(String((real as Error).cause));
    expect(String((error as Error).cause)).not.toContain("allow");
  },
);

test.each([
  "https://elsewhere.example/x",
  "http://elsewhere.example:8080/x",
  "http://[2001:db8::1]:81/",
  "https://ü.example",
])("what the refusal of %s suggests is what allow takes", async (url) => {
  const error: unknown = await fetch(url).catch((reason: unknown) => reason);
  const [, suggested = ""] = /\{ allow: \["(.*?)"\] \}/.exec(String((error as Error).cause)) ?? [];
  expect(new URL(suggested).origin).toBe(new URL(url).origin);
  intercept(echoService("https://other.pay.example"), { allow: [suggested] }).close();
});

test.each<unknown>([Object.create(null), Symbol("host"), 5, null, undefined])(
  "an entry of allow that is no URL is refused",
  (entry) => {
    expect(() => intercept(echoService("https://other.pay.example"), { allow: [entry as string] })).toThrow(
      expect.objectContaining({ code: "INVALID_OPTION" }) as Error,
    );
  },
);
