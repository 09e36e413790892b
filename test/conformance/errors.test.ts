import { describe, expect, test } from "vitest";
import { createCheckoutBody } from "../../src/checkout/schema.ts";
import { errorTable } from "../../src/http/errors.ts";
import { AMOUNT_TOO_SMALL } from "../../src/http/fields.ts";
import { openApiDocument } from "../../src/openapi.ts";
import { documentedErrors, events, limits, ownErrors } from "./errors.ts";

describe("the errors of the conformance table", () => {
  test("are the codes that the service answers, no more and no less", () => {
    const codes = [...documentedErrors.map(({ code }) => code), ...Object.keys(ownErrors)];
    expect([...new Set(codes)].toSorted()).toEqual(Object.keys(errorTable).toSorted());
  });

  test("do not count among Centavo's own what the document has", () => {
    expect(documentedErrors.filter(({ code }) => Object.hasOwn(ownErrors, code))).toEqual([]);
  });

  // Three sentences share a code with another; what each says is proven where it is answered.
  test.for(
    documentedErrors.filter(
      ({ code, label }) => label !== code && !["Token expired", AMOUNT_TOO_SMALL].includes(label),
    ),
  )("$label is the message of $code", ({ code, label }) => {
    expect(errorTable[code].message).toBe(label);
  });
});

test("the events of the conformance table are the webhooks of the OpenAPI document, no more and no less", () => {
  const built = events.filter(({ verdict }) => verdict === "supported" || "assumed" in verdict);
  expect(built.map(({ event }) => event).toSorted()).toEqual(
    Object.keys(openApiDocument().webhooks).map((name) => `${name}.`),
  );
});

describe("the limits of the conformance table", () => {
  test("have a check or an assumption for each that is built", () => {
    const supported = limits.filter(({ verdict }) => verdict === "supported");
    expect(supported.map(({ limit }) => limit)).toEqual(["Checkout amount"]);
  });

  test.for([
    { amount: 0, message: AMOUNT_TOO_SMALL },
    { amount: -1, message: AMOUNT_TOO_SMALL },
    { amount: 1.5, message: "Invalid input: expected int, received number" },
    { amount: 1, message: undefined },
  ])("a checkout amount of $amount: $message", ({ amount, message }) => {
    expect(createCheckoutBody.shape.amount.safeParse(amount).error?.issues[0]?.message).toBe(message);
  });
});
