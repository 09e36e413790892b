import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { DeclaredDescription } from "../../src/kit/declaration/description.ts";
import { describeService } from "../../src/openapi/describe.ts";
import { chargeApi, type Words } from "./charge-api.ts";
import { simulate, charge } from "./world.ts";

const description: DeclaredDescription<Words> = {
  info: { title: "Charges", version: "1" },
  security: { "secret-key": [{ secretKey: [] }] },
  securitySchemes: () => ({ secretKey: { type: "http", scheme: "bearer" } }),
  errors: { unauthorized: "key_invalid" },
};
const document = describeService(chargeApi, description, {
  baseUrl: "https://api.charges.example",
  authUrl: "https://api.charges.example",
});

test("the OpenAPI document describes its routes, forms, errors and webhooks", () => {
  expect(Object.keys(document.paths)).toEqual(["/v1/charges", "/v1/charges/{id}"]);
  const create = document.paths["/v1/charges"]?.["post"];
  expect(create?.requestBody?.content).toHaveProperty(["application/x-www-form-urlencoded"]);
  expect(create?.security).toEqual([{ secretKey: [] }]);
  expect(Object.keys(create?.responses ?? {})).toEqual(["200", "400", "401", "405", "409", "500"]);
  expect(Object.keys(document.webhooks)).toEqual(["charge"]);
});

test("its answers and events are what the document says", async () => {
  const ajv = new Ajv2020({ strict: false });
  ajv.addSchema(document, "openapi");
  const check = (name: string, value: unknown) => {
    const validate = ajv.compile({ $ref: `openapi#/components/schemas/${name}` });
    expect(validate(value), JSON.stringify(validate.errors)).toBe(true);
  };
  const sim = simulate();
  check("ChargeCreateData", await charge(sim));
  await sim.clock.advance("2 seconds");
  check("ChargeEvent", sim.webhooks.events()[0]?.body);
});
