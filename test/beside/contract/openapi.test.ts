import { paymentService } from "../../../src/service/service.ts";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { CentavoError } from "centavo";
import { openApiDocument } from "centavo/openapi";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const redocly = join(root, "test/beside/node_modules/@redocly/cli/bin/cli.js");
const offline = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" };

describe("the OpenAPI document", () => {
  test("passes Redocly's recommended rules, except for paths that http.routing decides", async () => {
    const options = { cwd: root, env: { ...process.env, ...offline } };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [redocly, "lint", "docs/reference/openapi.json", "--extends", "recommended", "--format", "json"],
      options,
    );
    const { problems } = JSON.parse(stdout) as { problems: { ruleId: string; message: string }[] };
    expect(problems.map(({ ruleId }) => ruleId)).toEqual(["no-ambiguous-paths", "no-ambiguous-paths"]);
    for (const { message } of problems)
      expect(message).toMatch(/ambiguous paths: `\/api\/subscription\/plans\/\{\w+\}` and `\/api\/subscription\/\{/);
  });

  test("has the addresses that it was asked for", () => {
    const { servers, paths, components } = openApiDocument({
      baseUrl: "https://pay.example/v9/",
      authUrl: "https://id.example",
    });
    expect(servers).toMatchObject([{ url: "https://pay.example/v9" }]);
    expect(paths["/oauth"]?.["post"]?.servers).toMatchObject([{ url: "https://id.example" }]);
    expect(components.securitySchemes["accessToken"]).toMatchObject({
      flows: { clientCredentials: { tokenUrl: "https://id.example/oauth" } },
    });
  });

  test("is refused for an invalid address", () => {
    expect(() => openApiDocument({ baseUrl: "pay.example" })).toThrow(CentavoError);
  });

  test("lists the errors of an operation under their statuses", () => {
    const responses = openApiDocument().paths["/api/payment-intent/{intentId}/confirm"]?.["post"]?.responses ?? {};
    expect(Object.keys(responses)).toEqual([
      "200",
      "400",
      "401",
      "402",
      "404",
      "405",
      "409",
      "413",
      "415",
      "429",
      "500",
    ]);
    expect(JSON.stringify(responses["402"])).toContain('"enum":["INSUFFICIENT_FUNDS","3D_SECURE_REQUIRED"]');
    expect(responses["401"]).toEqual({ $ref: "#/components/responses/Unauthorized" });
  });

  test("says what each tag stands for", () => {
    for (const { name, description } of openApiDocument().tags) expect(description).not.toBe(name);
  });

  test("declares numbers in queries as numbers, and whole ones as integers", () => {
    const parameters = openApiDocument().paths["/api/transactions"]?.["get"]?.parameters ?? [];
    const schemaOf = (name: string): unknown => parameters.find((parameter) => parameter.name === name)?.schema;
    expect(schemaOf("limit")).toEqual({ type: "integer", minimum: 1, maximum: 100 });
    expect(schemaOf("offset")).toEqual({ type: "integer", minimum: 0 });
    expect(schemaOf("amountMin")).toEqual({ type: "number", minimum: 0 });
  });

  test("has the webhook of each kind of resource, with its types", () => {
    const { webhooks, components } = openApiDocument();
    const named = paymentService.resources.flatMap(({ events }) => (events === undefined ? [] : [events.name]));
    expect(named).toContain("subscription");
    expect(Object.keys(webhooks)).toEqual(named.toSorted());
    expect(components.schemas["SubscriptionEvent"]).toMatchObject({
      properties: { type: { enum: expect.arrayContaining(["subscription.invoice.paid"]) as unknown } },
    });
  });

  test("names the assumptions of each operation, and says what they are", () => {
    const document = openApiDocument();
    const named = Object.values(document.paths).flatMap((operations) =>
      Object.values(operations).flatMap((operation) => operation["x-centavo-assumptions"]),
    );
    expect(named).toContain("checkout.lifetime");
    expect(document["x-centavo-assumptions"]["checkout.lifetime"]).toMatchObject({ default: "24 hours" });
    expect(Object.keys(document["x-centavo-assumptions"])).toEqual(expect.arrayContaining(named));
  });
});
