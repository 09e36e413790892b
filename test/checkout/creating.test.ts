import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { order } from "../merchant/requests.ts";

describe("creating a checkout session", () => {
  test("answers the fields of part 2.5, and no others", async () => {
    const merchant = await Merchant.open({ now: "2026-02-03T04:05:06.789Z" });
    const data = await merchant.createCheckout();
    expect(data).toStrictEqual({
      id: expect.stringMatching(/^cs_[0-9A-Za-z]{24}$/) as string,
      sessionToken: expect.stringMatching(
        /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/,
      ) as string,
      amount: 10_000,
      fee: 0,
      description: "Two coffees",
      checkoutUrl: `https://api.pay.example/pay/${data.sessionToken}`,
      expiresAt: "2026-02-04T04:05:06.789Z",
      status: "pending",
      createdAt: "2026-02-03T04:05:06.789Z",
    });
  });

  test.each([
    "externalId",
    "amount",
    "description",
    "webhookUrl",
    "returnUrl",
    "contact",
    "contact.name",
    "contact.email",
  ])("refuses a body without %s, and makes nothing", async (path) => {
    const merchant = await Merchant.open();
    const body = structuredClone(order()) as Record<string, unknown>;
    const [field = "", inner] = path.split(".");
    if (inner === undefined) delete body[field];
    else delete (body[field] as Record<string, unknown>)[inner];
    const answer = await merchant.call("POST", "/api/checkout", body);
    expect(answer.status).toBe(400);
    expect(answer.body).toStrictEqual({
      success: false,
      message: "Validation error",
      code: "VALIDATION_ERROR",
      errors: [{ path, message: "is required", code: "validation_error" }],
    });
    expect([merchant.sim.checkouts.list(), merchant.sim.intents.list()]).toEqual([[], []]);
  });

  test("names every offending field at once", async () => {
    const merchant = await Merchant.open();
    const { body } = await merchant.call("POST", "/api/checkout", {
      amount: "100",
      contact: { name: "" },
      isThirdParty: "yes",
    });
    const paths = body.errors?.map(({ path }) => path);
    expect(new Set(paths)).toEqual(
      new Set([
        "externalId",
        "amount",
        "description",
        "webhookUrl",
        "returnUrl",
        "contact.name",
        "contact.email",
        "isThirdParty",
      ]),
    );
  });

  test.each([0, -1])("an amount of %i has the document's own sentence", async (amount) => {
    const merchant = await Merchant.open();
    const { status, body } = await merchant.call("POST", "/api/checkout", order({ amount }));
    const message = "Amount must be at least 1 (in cents)";
    expect([status, body]).toStrictEqual([
      400,
      {
        success: false,
        message,
        code: "VALIDATION_ERROR",
        errors: [{ path: "amount", message, code: "validation_error" }],
      },
    ]);
  });

  test.each([
    { amount: 1 },
    { amount: 99_999_999_999 },
    { isThirdParty: false },
    { contact: { name: "Ana", email: "a@b.c", contact: "+63 900" } },
    { metadata: {} },
  ])("takes %j", async (rest) => {
    const merchant = await Merchant.open();
    await merchant.createCheckout(rest);
    expect(merchant.sim.checkouts.last()).toMatchObject(rest);
  });

  test.each([
    ["30 minutes", "2026-01-01T00:30:00.000Z"],
    ["7 days", "2026-01-08T00:00:00.000Z"],
  ])("a lifetime of %s comes from checkout.lifetime", async (lifetime, expiresAt) => {
    const merchant = await Merchant.open({ assumptions: { "checkout.lifetime": lifetime } });
    expect((await merchant.createCheckout()).expiresAt).toBe(expiresAt);
  });
});
