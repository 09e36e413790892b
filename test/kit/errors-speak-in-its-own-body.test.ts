import { expect, test } from "vitest";
import { simulate, post, authorization } from "./world.ts";

test.for([
  ["a field that is missing", { amount: "1250" }, "parameter_invalid", "source"],
  ["a field of the wrong form", { amount: "ten", source: "tok_visa" }, "parameter_invalid", "amount"],
  ["a field that nobody knows", { amount: "1250", source: "tok_visa", tip: "1" }, "parameter_invalid", "tip"],
] as const)("%s is answered in the error body of the service", async ([, fields, code, param]) => {
  const response = await post(simulate(), "/v1/charges", fields);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({
    error: { code, message: "The request is invalid", param },
  });
});

test("JSON is refused where the service takes forms", async () => {
  const init = { method: "POST", headers: { authorization, "content-type": "application/json" }, body: "{}" };
  const response = await simulate().fetch("/v1/charges", init);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: "parameter_invalid" } });
});

test.for([
  ["/v1/charges/ch_1", 404, "resource_missing"],
  ["/v1/refunds", 404, "resource_missing"],
  ["/v1/charges", 405, "method_invalid"],
] as const)("GET %s answers %i", async ([target, status, code]) => {
  const response = await simulate().fetch(target, { headers: { authorization } });
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { code } });
});

test.for([undefined, "Bearer sk_test_acct_2", "acct_1", "Basic c2tfdGVzdF9hY2N0XzE6"])(
  "the credential %s opens nothing",
  async (credential) => {
    const headers = credential === undefined ? {} : { authorization: credential };
    const response = await simulate().fetch("/v1/charges/ch_1", { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: { code: "key_invalid" } });
  },
);
