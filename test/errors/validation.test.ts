import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { type Answer, ok } from "../merchant/answers.ts";
import { callWith, tokensOf } from "../merchant/requests.ts";
import { worldOf } from "../worlds/without-journal.ts";

const sim = createSimulator();
const { access } = await tokensOf(sim);
const { id } = ok(await callWith(access, sim, "/api/payment-intent", { amount: 5000 }));
const pathsOf = ({ body }: Answer): string[] => (body["errors"] as readonly { path: string }[]).map(({ path }) => path);
const create = (body: unknown): Promise<Answer> => callWith(access, sim, "/api/payment-intent", body);

describe("validation names every offending field with its path, at once", () => {
  test.each<[string, string, unknown, string[]]>([
    [
      "an empty checkout",
      "/api/checkout",
      {},
      ["externalId", "amount", "description", "webhookUrl", "returnUrl", "contact"],
    ],
    [
      "nested fields",
      "/api/checkout",
      {
        externalId: "",
        amount: 0,
        description: 5,
        webhookUrl: "ftp://x",
        returnUrl: "javascript:alert(1)",
        contact: { name: "", contact: 5 },
        metadata: [],
        isThirdParty: "yes",
      },
      [
        "externalId",
        "amount",
        "description",
        "webhookUrl",
        "returnUrl",
        "contact.name",
        "contact.email",
        "contact.contact",
        "metadata",
        "isThirdParty",
      ],
    ],
    [
      "an intent",
      "/api/payment-intent",
      {
        amount: "100",
        description: null,
        externalId: 1,
        contact: { name: 1, email: [], phone: {} },
        metadata: "x",
        returnUrl: "x",
        webhookUrl: "data:,",
      },
      [
        "amount",
        "description",
        "externalId",
        "contact.name",
        "contact.email",
        "contact.phone",
        "metadata",
        "returnUrl",
        "webhookUrl",
      ],
    ],
    [
      "a confirmation without a method and with a wrong contact",
      `/api/payment-intent/${id}/confirm`,
      { contact: { name: 5 } },
      ["contact.name", "paymentMethodId"],
    ],
    [
      "a confirmation whose card is wrong in every field",
      `/api/payment-intent/${id}/confirm`,
      { paymentMethod: "card", creditCardDetails: { cardNumber: 1, expMonth: "13", expYear: "1", cvc: "1" } },
      [
        "creditCardDetails.cardNumber",
        "creditCardDetails.expMonth",
        "creditCardDetails.expYear",
        "creditCardDetails.cvc",
      ],
    ],
    [
      "two methods that differ and a wrong contact",
      `/api/payment-intent/${id}/confirm`,
      { paymentMethodId: "pm_a", paymentMethod: "pm_b", contact: 1 },
      ["contact", "paymentMethod"],
    ],
    [
      "a card without its details and a wrong contact",
      `/api/payment-intent/${id}/confirm`,
      { paymentMethod: "card", contact: 1 },
      ["contact", "creditCardDetails"],
    ],
  ])("%s", async (_, path, body, paths) => {
    const before = worldOf(sim);
    const answer = await callWith(access, sim, path, body);
    expect(answer.status).toBe(400);
    expect(answer.body["code"]).toBe("VALIDATION_ERROR");
    expect([...new Set(pathsOf(answer))].toSorted()).toEqual(paths.toSorted());
    expect(worldOf(sim)).toEqual(before);
  });
});

describe("a number", () => {
  test.each([
    "1e400",
    "-1e400",
    "-0",
    "0",
    "0.5",
    "1.5",
    '"100"',
    "1e21",
    "100000000000",
    "9007199254740993",
    "null",
    "true",
    "[]",
    "{}",
    '""',
  ])("%s is not an amount", async (amount) => {
    const response = await sim.fetch("/api/payment-intent", {
      method: "POST",
      headers: { authorization: `Bearer ${access}`, "content-type": "application/json" },
      body: `{"amount":${amount}}`,
    });
    const body = (await response.json()) as { errors: { path: string }[] };
    expect([response.status, body.errors[0]?.path]).toEqual([400, "amount"]);
  });

  test.each([1, 99_999_999_999, 1e3])("%d is an amount", async (amount) => {
    expect(ok(await create({ amount }))["amount"]).toBe(amount);
  });
});

describe("bounds", () => {
  const long = (length: number): string => "x".repeat(length);
  const url = (length: number): string => `https://s.example/${long(length - 18)}`;
  const keys = (count: number): Record<string, number> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));

  test.each<[string, object, object]>([
    ["a text of 1 000 characters", { description: long(1000) }, { description: long(1001) }],
    ["a required text that is not empty", { externalId: "x" }, { externalId: "" }],
    ["a URL of 2 048 characters", { returnUrl: url(2048) }, { returnUrl: url(2049) }],
    ["a URL without user info", { webhookUrl: "https://s.example/@" }, { webhookUrl: "https://u:p@s.example" }],
    ["a URL on localhost", { webhookUrl: "http://localhost:3000/hooks" }, { webhookUrl: "localhost:3000/hooks" }],
    ["a return address on the web", { returnUrl: "http://s.example" }, { returnUrl: "myshop://back" }],
    ["metadata of 50 keys", { metadata: keys(50) }, { metadata: keys(51) }],
    ["metadata texts of 500 characters", { metadata: { note: long(500) } }, { metadata: { note: long(501) } }],
    ["metadata JSON of 500 characters", { metadata: { list: [long(496)] } }, { metadata: { list: [long(497)] } }],
    [
      "metadata numbers that can be given back",
      { metadata: { big: 1e308 } },
      { metadata: { big: { deep: [JSON.parse("1e400")] } } },
    ],
  ])("take %s and nothing beyond", async (_, within, beyond) => {
    expect((await create({ amount: 1, ...within })).status).toBe(200);
    const body = JSON.stringify({ amount: 1, ...beyond }).replace("[null]", "[1e400]");
    const response = await sim.fetch("/api/payment-intent", {
      method: "POST",
      headers: { authorization: `Bearer ${access}`, "content-type": "application/json" },
      body,
    });
    expect(response.status).toBe(400);
  });
});
