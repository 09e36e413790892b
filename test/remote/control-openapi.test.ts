import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { expect, test } from "vitest";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { controlDocument } from "../../src/server/control/openapi.ts";
import { controlRoutes } from "../../src/server/control/routes.ts";

const document = controlDocument(controlRoutes());

test("every operation has its name, the token and its errors", () => {
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(["clock.advance", "worlds.open", "make.subscription", "world.describe"]));
  for (const { responses } of operations)
    for (const status of ["401", "403", "404", "409", "421", "500", "503"]) expect(responses).toHaveProperty(status);
  expect(document.security).toEqual([{ controlToken: [] }]);
  expect(document.components).toMatchObject({ securitySchemes: { controlToken: { type: "http", scheme: "bearer" } } });
});

test("every reference leads to a component", () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g);
  for (const [, kind = "", name = ""] of references) expect(document.components[kind]).toHaveProperty(name);
});

test("the server answers its document under the world's own address", async () => {
  await using server = await serve(createSimulator());
  const response = await fetch(`${server.controlUrl}/openapi.json`, {
    headers: { authorization: `Bearer ${server.token}` },
  });
  const answered = (await response.json()) as typeof document;
  expect(answered.servers).toMatchObject([{ url: server.url }]);
  expect(answered.paths).toHaveProperty(["/_centavo/api/v1/clock/advance", "post"]);
  expect(answered.paths["/_centavo/worlds/{name}"]?.["put"]).toMatchObject({ servers: [{ url: server.url }] });
});

test("what the control API answers is what its document says", async () => {
  const sim = createSimulator();
  await using server = await serve(sim);
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const asked = Object.entries(document.paths).filter(
    ([path, { get }]) => get !== undefined && !path.includes("{") && !/\/(last|report|timeline)$/.test(path),
  );
  expect(asked.length).toBeGreaterThan(20);
  for (const [path, { get }] of asked) {
    const response = await fetch(server.url + path, { headers: { authorization: `Bearer ${server.token}` } });
    expect(response.status, path).toBe(200);
    const { responses } = get as unknown as {
      responses: { 200: { content: { "application/json": { schema: object } } } };
    };
    const validate = ajv.compile(responses[200].content["application/json"].schema);
    expect(validate(await response.json()), `${path}: ${JSON.stringify(validate.errors)}`).toBe(true);
  }
});
