import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";

const refusal = (options: unknown): { code?: string; message?: string } => {
  try {
    createSimulator(options as object);
  } catch (error) {
    return error as { code: string; message: string };
  }
  return {};
};

describe("an invalid option is refused with its name, its value and what it takes", () => {
  test.each<[string, unknown, string, shown?: string]>([
    ["baseUrl", "nope", "https://api.pay.example"],
    ["baseUrl", "ftp://pay.example", "https://api.pay.example"],
    ["baseUrl", "https://user:pass@pay.example", "user name or password", "https://…@pay.example"],
    ["baseUrl", "https://pay.example/?v=1", "query or fragment", "https://pay.example/?…"],
    ["baseUrl", "https://pay.example/#top", "query or fragment", "https://pay.example/#…"],
    ["baseUrl", null, "https://api.pay.example"],
    ["authUrl", 5, "https://auth.pay.example"],
    ["seed", Number.NaN, "a number or a string"],
    ["seed", { a: 1 }, "a number or a string"],
    ["seed", 5n, "a number or a string"],
    ["now", "yesterday", "2026-01-01T00:00:00Z"],
    ["now", Number.NaN, "2026-01-01T00:00:00Z"],
    ["now", null, "2026-01-01T00:00:00Z"],
    ["clock", "fast", '"manual", "auto", { auto: { horizon: "10 seconds" } }, "real" or { real: 60 }'],
    ["clock", { real: 0 }, "a factor is above 0, and at most 1000000000"],
    ["clock", { real: -1 }, "a factor is above 0"],
    ["clock", { real: 1e10 }, "a factor is above 0"],
    ["clock", { real: "60" }, '"real" or { real: 60 }'],
    ["clock", { real: 60, auto: {} }, '"real" or { real: 60 }'],
    ["clock", null, '"manual", "auto"'],
    ["clock", { auto: 5 }, '"manual", "auto"'],
    ["clock", { auto: { horizon: "soon" } }, 'the duration "soon" was not understood'],
    ["webhookUrl", "shop.example/hooks", "https://shop.example/hooks"],
    ["assumptions", ["checkout.lifetime"], '{ "checkout.lifetime": "30 minutes" }'],
    ["receiverTimeout", 0, "at least 1"],
    ["receiverTimeout", "2 seconds", "milliseconds of real time"],
  ])("%s: %o", (name, value, takes, shown = value) => {
    const { code, message } = refusal({ [name]: value });
    const written =
      typeof shown === "string" || (typeof shown === "object" && shown !== null)
        ? JSON.stringify(shown)
        : String(shown);
    expect(code).toBe("INVALID_OPTION");
    expect(message).toContain(`createSimulator: the option ${name} is ${written}`);
    expect(message).toContain(takes);
  });

  test.each([
    [Number.NaN, '{"real":NaN}: a factor'],
    [Number.POSITIVE_INFINITY, '{"real":Infinity}: a factor'],
  ])("clock: { real: %s }", (real, named) => {
    expect(refusal({ clock: { real } }).message).toContain(named);
  });

  test.each([
    ["sead", "seed"],
    ["baseURL", "baseUrl"],
    ["assumption", "assumptions"],
    ["webhook", "webhookUrl"],
  ])("an unknown option, %s, names the nearest", (name, nearest) => {
    expect(refusal({ [name]: 1 })).toMatchObject({
      code: "INVALID_OPTION",
      message: `createSimulator has no option "${name}". The nearest is "${nearest}".`,
    });
  });

  test.each([null, 42, "seed"])("%j is not an object of options", (options) => {
    expect(refusal(options).message).toMatch(
      /^createSimulator takes its options as an object with baseUrl, authUrl, seed, .*, not (null|42|"seed")\.$/,
    );
  });
});

describe("an option left out or undefined has its default", () => {
  test("always the same", () => {
    const [plain, explicit] = [
      createSimulator(),
      createSimulator({
        seed: 1,
        now: new Date("2026-01-01"),
        ...({ baseUrl: undefined, authUrl: undefined, clock: undefined } as object),
      }),
    ];
    expect([plain.baseUrl, plain.authUrl, plain.clock.now()]).toEqual([
      "https://api.pay.example",
      "https://api.pay.example",
      "2026-01-01T00:00:00.000Z",
    ]);
    expect(explicit.snapshot()).toEqual(plain.snapshot());
  });

  test("and base URLs are written in one way", () => {
    const { baseUrl, authUrl } = createSimulator({
      baseUrl: "HTTPS://Pay.Example:443/v1/",
      authUrl: "http://localhost:3000/",
    });
    expect([baseUrl, authUrl]).toEqual(["https://pay.example/v1", "http://localhost:3000"]);
  });
});
